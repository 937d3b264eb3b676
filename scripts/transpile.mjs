// Transpiles one TypeScript file to JavaScript, without checking types; called by scripts/build.mjs. The sources only
// use syntax that can be erased file by file (enforced in tsconfig.json), which takes a second for all of them where a
// full compilation takes many.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const options = readOptions();

/**
 * @param {string} file its path, for messages
 * @param {string} source
 * @returns {string}
 * @throws Error with file, line and reason when the file is not TypeScript
 */
export function transpile(file, source) {
  const result = ts.transpileModule(source, {
    fileName: file,
    compilerOptions: options,
    reportDiagnostics: true,
  });
  if (result.diagnostics?.length) {
    throw new Error(
      ts.formatDiagnostics(result.diagnostics, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => root,
        getNewLine: () => '\n',
      }),
    );
  }
  return result.outputText;
}

function readOptions() {
  const file = path.join(root, 'tsconfig.json');
  const read = ts.readConfigFile(file, (name) => ts.sys.readFile(name));
  const parsed = ts.parseJsonConfigFileContent(read.config, { ...ts.sys, readDirectory: () => [] }, root);
  // A single file does not show that the package uses ES modules.
  return {
    ...parsed.options,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
}
