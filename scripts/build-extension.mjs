// Builds the browser extension: `node scripts/build-extension.mjs [FOLDER]`, by default clients/extension/dist. FOLDER gets
// `chrome` and `firefox`, each to be loaded as it is, and a zip of each for its store.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { zipFolder } from './zip-folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = path.join(root, 'clients/extension');
/** @typedef {'chrome' | 'firefox'} Browser */
/** @type {readonly Browser[]} */
const browsers = ['chrome', 'firefox'];
/** The page's name of a language, where the stores have another. */
const storeNames = /** @type {Record<string, string>} */ ({ zh: 'zh_CN', pt: 'pt_BR' });
/** The stores want this one; browsers make smaller ones of it. */
const iconSize = 128;

/**
 * @param {string} folder is emptied
 * @returns {Promise<Record<Browser, { folder: string, zip: string, bytes: number }>>}
 */
export async function buildExtension(folder) {
  rmSync(folder, { recursive: true, force: true });
  const shared = path.join(folder, 'chrome');
  mkdirSync(shared, { recursive: true });
  await Promise.all([
    bundle('page/page.ts', path.join(shared, 'page.js'), 'iife'),
    bundle('worker/worker.ts', path.join(shared, 'worker.js'), 'iife'),
    bundle('views/views.ts', path.join(shared, 'view.js'), 'esm'),
    ...browsers.map((browser) => writeTexts(path.join(folder, browser, '_locales'), browser)),
  ]);
  cpSync(path.join(source, 'static'), shared, { recursive: true });
  const style = path.join(shared, 'view.css');
  writeFileSync(style, shorten(readFileSync(style, 'utf8')));
  const isShared = (/** @type {string} */ file) => path.basename(file) !== '_locales';
  cpSync(shared, path.join(folder, 'firefox'), { recursive: true, filter: isShared });
  const { version } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
  const built = browsers.map((browser) => {
    const own = path.join(folder, browser);
    const manifest = JSON.stringify({ ...common(version), ...particular[browser] });
    writeFileSync(path.join(own, 'manifest.json'), `${manifest}\n`);
    const zip = path.join(folder, `mayfly-${browser}-${version}.zip`);
    return /** @type {const} */ ([browser, { folder: own, zip, bytes: zipFolder(own, zip) }]);
  });
  return /** @type {any} */ (Object.fromEntries(built));
}

/** @param {string} version */
function common(version) {
  const icons = { [iconSize]: `icon-${iconSize}.png` };
  return {
    manifest_version: 3,
    name: '__MSG_name__',
    description: '__MSG_description__',
    version,
    default_locale: 'en',
    icons,
    // activeTab: a page only when the button is pressed there. scripting brings the icon to where it is allowed, and
    // allows nothing by itself.
    permissions: ['storage', 'activeTab', 'scripting'],
    // Asked for one by one: the service's, and the sites on which the person wants the icon without pressing.
    optional_host_permissions: ['https://*/*', 'http://*/*'],
    action: { default_icon: icons, default_title: '__MSG_name__' },
    options_ui: { page: 'view.html', open_in_tab: true },
    commands: {
      fill: { suggested_key: { default: 'Alt+Shift+M' }, description: '__MSG_iconFill__' },
    },
    content_security_policy: {
      extension_pages:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src https: http:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  };
}

const particular = {
  chrome: { background: { service_worker: 'worker.js' }, minimum_chrome_version: '127' },
  firefox: {
    background: { scripts: ['worker.js'] },
    browser_specific_settings: {
      gecko: {
        id: 'extension@mayfly.example',
        strict_min_version: '140.0',
        // The name of a site is part of the address that the person's own service makes.
        data_collection_permissions: { required: ['websiteActivity'] },
      },
    },
  },
};

/**
 * @param {string} entry
 * @param {string} file
 * @param {'iife' | 'esm'} format
 */
async function bundle(entry, file, format) {
  const build = await rolldown({
    input: path.join(source, 'src', entry),
    cwd: root,
    platform: 'browser',
    tsconfig: false,
    resolve: { conditionNames: ['mayfly-source', 'import', 'default'] },
    plugins: [leaveOut(), numberTexts(), shortenStyle()],
  });
  try {
    await build.write({ file, format, minify: true, comments: false });
  } finally {
    await build.close();
  }
}

/** Methods of the client that the extension never calls; a bundler cannot see that they are not. */
const unusedMethods = (
  'address waitForMessage waitForCode waitForLink messagesAfter report raw importMail exportMail attachment delete ' +
  'deleteAll deliveryLog extend createCapture bytes \\[Symbol.asyncDispose]'
).split(' ');

/**
 * Leaves out what the client needs for waits, captures and logs, which the extension never starts.
 * @returns {import('rolldown').Plugin}
 */
function leaveOut() {
  const stubs = /** @type {Record<string, string>} */ ({
    'session-log.ts': 'export function readSessionLog() {}',
    'capture.ts': 'export class Capture {}',
    'siblings.ts': 'export class Siblings { add() {} remove() {} }',
    'waits.ts': 'export class Waits {}',
  });
  const client = path.join(root, 'clients/typescript/src');
  const methods = new RegExp(`^  (?:async )?(?:${unusedMethods.join('|')})\\([^]*?\\n  }\\n`, 'gm');
  // The environment, its sentence in errors, and a domain's name instead of its id, which the extension does not give.
  const sentence = /^    (?:const shown|this\.service) = .*\n/gm;
  const bodies = /^( *(?:async )?(?:#domainId|function readEnvironment)\().*\{\n[^]*?\n *\}\n/gm;
  return {
    name: 'leave-out',
    load: (id) => (path.dirname(id) === client ? stubs[path.basename(id)] : undefined),
    transform: (code, id) =>
      path.dirname(id) === client
        ? code.replaceAll(methods, '').replaceAll(sentence, '').replaceAll(bodies, '$1) {}\n')
        : null,
  };
}

/**
 * Puts a text's place among all for its name, which is written in the call of `text` itself.
 * @returns {import('rolldown').Plugin}
 */
function numberTexts() {
  const names = textNames();
  return {
    name: 'number-texts',
    transform: (code, id) =>
      id.startsWith(path.join(source, 'src'))
        ? code.replaceAll(/\btext\(((?:[^()]|\([^()]*\))*)\)/g, (call) =>
            call.replaceAll(/'(\w+)'/g, (quoted, name) =>
              names.includes(name) ? `'${names.indexOf(name)}'` : quoted,
            ),
          )
        : null,
  };
}

/** @returns {import('rolldown').Plugin} */
function shortenStyle() {
  return {
    name: 'shorten-style',
    transform: (code, id) => (path.basename(id) === 'style.ts' ? shorten(code) : null),
  };
}

/** @param {string} style */
function shorten(style) {
  return style
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/(?<=[{};,])\s+|\s+(?=[{}])/g, '')
    .replaceAll(/(?<=[\w-]): /g, ':');
}

/** @returns {readonly string[]} */
function textNames() {
  const names = Object.keys({ ...readJson('texts/from-page.json'), ...readJson('texts/en.json') });
  return names.filter((name) => !name.endsWith(ofChrome));
}

/** Ends the name of a text that Chrome has in place of the one before: it imports what Firefox accepts in a tab. */
const ofChrome = 'Chrome';

/** Those that the manifest names. */
const manifestTexts = ['name', 'description', 'iconFill'];

/**
 * Writes each language's texts as one message, a line each: the store's form repeats a frame around every one of them,
 * in all languages 1.2 of the forty kilobytes.
 * @param {string} folder
 * @param {Browser} browser
 */
async function writeTexts(folder, browser) {
  /** @type {Record<string, string>} */
  const fromPage = readJson('texts/from-page.json');
  const languages = readdirSync(path.join(source, 'texts')).filter((file) => file !== 'from-page.json');
  for (const file of languages) {
    const language = path.basename(file, '.json');
    const page = await readPageTexts(language);
    const borrowed = Object.entries(fromPage).map(([name, key]) => [name, page[key]]);
    const texts = { ...Object.fromEntries(borrowed), ...readJson(`texts/${file}`) };
    const lines = textNames().map((name) => {
      const words = (browser === 'chrome' ? texts[name + ofChrome] : undefined) ?? texts[name];
      if (typeof words !== 'string') throw new Error(`There is no text "${name}" in ${language}.`);
      // The page names its values; these texts have one at most. The browser would put its own in place of $1.
      return words.replace(/\{\w+\}|\$1/, '\t');
    });
    const own = path.join(folder, storeNames[language] ?? language);
    mkdirSync(own, { recursive: true });
    const messages = [
      ...manifestTexts.map((name) => [name, { message: texts[name] }]),
      ['texts', { message: lines.join('\n') }],
    ];
    writeFileSync(path.join(own, 'messages.json'), JSON.stringify(Object.fromEntries(messages)));
  }
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(path.join(source, file), 'utf8'));
}

/**
 * Reads the texts of the first view and of the later ones.
 * @param {string} language
 * @returns {Promise<Record<string, unknown>>}
 */
async function readPageTexts(language) {
  const [first, later] = await Promise.all([
    importBundled(`web/src/i18n/${language}.ts`),
    importBundled(`web/src/i18n/more/${language}.ts`),
  ]);
  return { ...first[language], ...later.more };
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, Record<string, unknown>>>}
 */
async function importBundled(file) {
  const build = await rolldown({ input: path.join(root, file), cwd: root, tsconfig: false });
  try {
    const { output } = await build.generate({ format: 'esm' });
    return await import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
  } finally {
    await build.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const built = await buildExtension(path.resolve(process.argv[2] ?? path.join(source, 'dist')));
  for (const { zip, bytes } of Object.values(built)) console.log(`${path.basename(zip)} ${bytes} bytes`);
}
