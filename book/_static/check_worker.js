// Python in the reader's browser: loaded when the page asks for the first check, then kept.

const base = new URL("check/", import.meta.url);
const version = new URL(import.meta.url).search;
const files = new Map();

// Every file of the site that Python needs comes this way, so that its arrival can be shown.
const fetchFromSite = self.fetch.bind(self);
self.fetch = async (address, options) => {
  const url = new URL(address.url ?? address, base);
  const name = url.pathname.split("/").pop();
  let response;
  try {
    response = await fetchFromSite(url, options);
  } catch {
    giveUp(`${name} did not arrive`);
  }
  if (!response.ok) giveUp(`${name} did not arrive (the server answered ${response.status})`);
  const file = files.get(name);
  if (!file) return response;
  const counted = response.body.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        file.loaded += chunk.length;
        report(file);
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, { headers: { "Content-Type": response.headers.get("Content-Type") } });
};

// Pyodide waits for ever for a file that has failed, so the page is told here.
function giveUp(sentence) {
  postMessage({ broken: sentence });
  throw new Error(sentence);
}

function report(file) {
  let loaded = 0;
  let total = 0;
  for (const each of files.values()) {
    loaded += each.loaded;
    total += each.bytes;
  }
  postMessage({ progress: { words: file.words, loaded, total } });
}

async function fetchBytes(name) {
  return new Uint8Array(await (await fetch(name + version)).arrayBuffer());
}

async function start() {
  for (const file of await (await fetch("files.json" + version)).json()) {
    files.set(file.name, { ...file, loaded: 0 });
  }
  const archive = fetchBytes("derivations.zip");
  archive.catch(() => {}); // reported where it is awaited
  let module;
  try {
    module = await import(new URL("pyodide.mjs", base));
  } catch {
    throw new Error("pyodide.mjs did not arrive");
  }
  const python = await module.loadPyodide({ indexURL: base.href });
  const derivations = await archive;
  postMessage({ starting: true });
  python.unpackArchive(derivations, "zip", { extractDir: "/derivations" });
  return python.runPython(`
import sys
sys.path.insert(0, "/derivations")
import json, recheck

def answer(request):
    request = json.loads(request)
    if "module" in request:
        return json.dumps(recheck.function(request["source"], request["module"]))
    return json.dumps(recheck.cell(request["source"], request["earlier"]))

answer
`);
}

let started;
onmessage = async ({ data }) => {
  try {
    const answer = await (started ??= start());
    const began = performance.now();
    const report = JSON.parse(answer(JSON.stringify(data)));
    postMessage({ report: { ...report, seconds: (performance.now() - began) / 1000 } });
  } catch (error) {
    postMessage({ broken: String(error.message ?? error).split("\n")[0] });
  }
};
