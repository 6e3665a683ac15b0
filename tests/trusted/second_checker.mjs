// Reads {axioms, library, lists} on standard input; for each list of certificates prints the names,
// steps, hypotheses and conclusions that the second checker accepts, or the reason why it refuses.
import { check, parse } from "../../book/_static/trusted.js";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const { axioms, library, lists } = parse(text);
const out = lists.map((list) => {
  try {
    return { accepted: check(list, { axioms, library }).map((c) => [c.name, c.steps, c.hypotheses, c.conclusion]) };
  } catch (error) {
    return { refused: String(error.message), name: error.constructor.name };
  }
});
process.stdout.write(JSON.stringify(out));
