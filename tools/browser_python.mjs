// Compile the Python files of an archive with the Python that readers' browsers run.
// Usage: node browser_python.mjs FOLDER_OF_PYODIDE ARCHIVE_OF_SOURCES ARCHIVE_TO_WRITE
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, sources, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide();
python.FS.writeFile("/sources.zip", new Uint8Array(readFileSync(sources)));
python.runPython(`
import importlib.util, marshal, warnings, zipfile

warnings.simplefilter("ignore")
# The header of a file of bytecode that is used without a look at the source: flag, then a hash.
header = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
with (
    zipfile.ZipFile("/sources.zip") as sources,
    zipfile.ZipFile("/compiled.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as compiled,
):
    for name in sources.namelist():
        # Docstrings are left out: they are half of the archive.
        code = compile(sources.read(name), name, "exec", dont_inherit=True, optimize=2)
        entry = zipfile.ZipInfo(name + "c", (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        compiled.writestr(entry, header + marshal.dumps(code))
`);
writeFileSync(target, python.FS.readFile("/compiled.zip"));
process.exit(0);
