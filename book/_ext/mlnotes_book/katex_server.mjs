// Renders the formula in every line of JSON on standard input, and answers with a line for each when
// an empty line asks for them: whoever sends need not read at the same time. Run from the project's root.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { simplify } from "./katex_tree.mjs";

const katex = createRequire(join(process.cwd(), "package.json"))("katex");
const macros = JSON.parse(process.argv[2]);
let replies = "";

for await (const line of createInterface({ input: process.stdin })) {
  if (!line) {
    process.stdout.write(replies);
    replies = "";
    continue;
  }
  const { tex, display } = JSON.parse(line);
  let reply;
  try {
    // A fresh copy: \gdef in one formula must not change the next.
    const options = { displayMode: display, macros: { ...macros }, throwOnError: true, strict: "ignore" };
    const tree = katex.__renderToDomTree(tex, options);
    reply = { html: simplify(tree, display, !display && tex.startsWith("\\displaystyle")).toMarkup() };
  } catch (error) {
    reply = { error: error.message };
  }
  replies += JSON.stringify(reply) + "\n";
}
