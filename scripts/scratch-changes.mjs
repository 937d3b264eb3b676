// The changes that scripts/count-changes.mjs makes in a copy of the repository, each by a recipe of CONTRIBUTING.md: all
// that a person would write, with a test. An edit adds text after a piece of the file that is there once, or after
// the line of one; without, the file is new. NEXT in a file's name is the number of its next migration.

/** @typedef {{ readonly file: string, readonly after?: string, readonly afterLine?: string, readonly text: string }} Edit */
/**
 * @typedef {object} ScratchChange
 * @property {string} name
 * @property {string} bound
 * @property {readonly Edit[]} edits
 * @property {readonly string[]} tests files that must pass with it
 */

const mottoSql = {
  sqlite: `CREATE TABLE mottos (
  name TEXT PRIMARY KEY,
  motto TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`,
  postgres: `CREATE TABLE mayfly.mottos (
  name text PRIMARY KEY,
  motto text NOT NULL
);
`,
};

/** @type {ScratchChange} */
const port = {
  name: 'store port',
  bound: '≤ 8',
  edits: [
    {
      file: 'src/store/motto-store.ts',
      text: `// The port to mottos.

export interface MottoStore {
  /** Resolves with undefined for none. */
  readMotto(name: string): Promise<string | undefined>;
  writeMotto(name: string, motto: string): Promise<void>;
}
`,
    },
    {
      file: 'src/store/sql/sql-motto-store.ts',
      text: `// MottoStore over SQL.

import type { MottoStore } from '../motto-store.ts';
import type { Sql, Statement } from './sql.ts';

const read: Statement = {
  name: 'read_motto',
  text: 'SELECT motto FROM mayfly.mottos WHERE name = :name',
};
const write: Statement = {
  name: 'write_motto',
  text: \`INSERT INTO mayfly.mottos (name, motto) VALUES (:name, :motto)
    ON CONFLICT (name) DO UPDATE SET motto = excluded.motto\`,
};

export class SqlMottoStore implements MottoStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async readMotto(name: string): Promise<string | undefined> {
    return (await this.#sql.get<{ motto: string }>(read, { name }))?.motto;
  }

  async writeMotto(name: string, motto: string): Promise<void> {
    await this.#sql.run(write, { name, motto });
  }
}
`,
    },
    { file: 'src/store/sqlite/migrations/NEXT-mottos.sql', text: mottoSql.sqlite },
    { file: 'src/store/postgres/migrations/NEXT-mottos.sql', text: mottoSql.postgres },
    {
      file: 'test/contract/ports/mottos.ts',
      text: `// Contract: mottos are kept.

import { expect, it } from 'vitest';

import { openForTest, type OpenStore } from '../store-fixture.ts';

export function contract(open: OpenStore): void {
  it('keeps the last motto of each name', async () => {
    const store = await openForTest(open);
    await store.mottos.writeMotto('fox', 'quick');
    await store.mottos.writeMotto('fox', 'quiet');
    await store.reopen();
    expect(await store.mottos.readMotto('fox')).toBe('quiet');
    expect(await store.mottos.readMotto('owl')).toBeUndefined();
  });
}
`,
    },
    {
      file: 'src/store/stores.ts',
      after: "import type { MailStore } from './mail-store.ts';\n",
      text: "import type { MottoStore } from './motto-store.ts';\n",
    },
    {
      file: 'src/store/stores.ts',
      after: "import { SqlKeyStore } from './sql/sql-key-store.ts';\n",
      text: "import { SqlMottoStore } from './sql/sql-motto-store.ts';\n",
    },
    {
      file: 'src/store/stores.ts',
      after: '  readonly keys: KeyStore;\n',
      text: '  readonly mottos: MottoStore;\n',
    },
    {
      file: 'src/store/stores.ts',
      after: '    keys: new SqlKeyStore(sql),\n',
      text: '    mottos: new SqlMottoStore(sql),\n',
    },
    {
      file: 'src/service/operating/show-motto.ts',
      text: `// Shows the motto of a name.

import type { MottoStore } from '../../store/motto-store.ts';

export interface ShowMottoDeps {
  readonly mottos: MottoStore;
}

export async function showMotto({ mottos }: ShowMottoDeps, name: string): Promise<string> {
  return (await mottos.readMotto(name)) ?? 'none';
}
`,
    },
    {
      file: 'src/service/operating/show-motto.test.ts',
      text: `import { expect, it } from 'vitest';

import { showMotto } from './show-motto.ts';

it('shows the motto of a name, if it has one', async () => {
  const readMotto = (name: string) => Promise.resolve(name === 'fox' ? 'quiet' : undefined);
  const deps = { mottos: { readMotto, writeMotto: () => Promise.resolve() } };
  expect(await showMotto(deps, 'fox')).toBe('quiet');
  expect(await showMotto(deps, 'owl')).toBe('none');
});
`,
    },
  ],
  tests: ['test/contract/sqlite-sessions.test.ts', 'src/service/operating/show-motto.test.ts'],
};

/** @type {ScratchChange} */
const operation = {
  name: 'HTTP operation',
  bound: '≤ 3',
  edits: [
    {
      file: 'src/service/addresses/count-domains.ts',
      text: `// Counts the domains that give out addresses.

import type { DirectoryStore } from '../../store/directory-store.ts';

export async function countDomains({ directory }: { readonly directory: DirectoryStore }): Promise<number> {
  const domains = await directory.listDomains();
  return domains.filter(({ isActive }) => isActive).length;
}
`,
    },
    {
      file: 'src/service/services.ts',
      after: "import { createSession } from './addresses/create-session.ts';\n",
      text: "import { countDomains } from './addresses/count-domains.ts';\n",
    },
    {
      file: 'src/service/services.ts',
      after: '    listDomains: bind(listDomains),\n',
      text: '    countDomains: bind(countDomains),\n',
    },
    {
      file: 'src/http/operations/health.ts',
      after: "import { success } from '../views/schemas.ts';\n",
      text: `import { Type } from '#http-parts/json-schema';

const countDomainsOperation = publicOperation({
  name: 'countDomains',
  tag: 'Health',
  method: 'GET',
  path: '/count-domains',
  summary: 'How many domains give out addresses',
  parameters: {},
  answers: success({ domains: Type.Integer() }),
  example: { status: 'success', domains: 1 },
  errors: [],
  run: async ({ services }) => jsonAnswer({ domains: await services.countDomains() }),
});
`,
    },
    {
      file: 'src/http/operations/health.ts',
      after: '[healthzOperation, readyzOperation',
      text: ', countDomainsOperation',
    },
    {
      file: 'test/integration/http-count-domains.test.ts',
      text: `import { expect, it } from 'vitest';

import { ask, startHttp } from './http-harness.ts';

it('counts the domains that give out addresses', async () => {
  const harness = await startHttp();
  await harness.store.directory.addDomain('second.test', 0, 0);
  expect((await ask(harness, '/count-domains')).json).toMatchObject({ domains: 2 });
});
`,
    },
  ],
  tests: ['test/integration/http-count-domains.test.ts', 'test/integration/http-openapi.test.ts'],
};

/** @type {ScratchChange} */
const command = {
  name: 'operator command',
  bound: '≤ 2',
  edits: [
    {
      file: 'src/service/operating/count-own-domains.ts',
      text: `// Counts the domains that give out addresses.

import type { DirectoryStore } from '../../store/directory-store.ts';

export async function countOwnDomains(directory: DirectoryStore): Promise<number> {
  const domains = await directory.listDomains();
  return domains.filter(({ isActive }) => isActive).length;
}
`,
    },
    {
      file: 'src/operator/domains.ts',
      after: "import { checkOwnDomain } from '../service/operating/check-domain.ts';\n",
      text: "import { countOwnDomains } from '../service/operating/count-own-domains.ts';\n",
    },
    {
      file: 'src/operator/domains.ts',
      after:
        "const name = { kind: 'text', required: true, description: 'the domain', operand: 'NAME' } as const;\n",
      text: `
const countThem = operatorCommand({
  method: 'GET',
  path: '/admin/count-domains',
  words: 'domain count',
  help: 'count the domains that give out addresses',
  parameters: {},
  run: async ({ operator }) => ({ domains: await countOwnDomains(operator.directory) }),
  print: ({ domains }) => [String(domains)],
});
`,
    },
    { file: 'src/operator/domains.ts', after: 'commands: [add, set, list, ', text: 'countThem, ' },
    {
      file: 'src/service/operating/count-own-domains.test.ts',
      text: `import { expect, it } from 'vitest';

import { parseArguments } from '../../cli/parse-arguments.ts';

it('is offered on the command line', () => {
  expect(parseArguments(['domain', 'count'])).toMatchObject({ command: { path: '/admin/count-domains' } });
});
`,
    },
  ],
  tests: ['src/service/operating/count-own-domains.test.ts'],
};

/** @type {ScratchChange} */
const setting = {
  name: 'setting',
  bound: '≤ 2',
  edits: [
    {
      file: 'packages/config/src/smtp-settings.ts',
      after: "  port: port(2525, 'Port of SMTP; 0 picks a free one. The Internet delivers to 25.'),\n",
      text: "  announce: oneOf(['off', 'on'], 'off', 'Whether the log says that SMTP listens.'),\n",
    },
    {
      file: 'src/app/listeners/start-smtp.ts',
      after: '  const { dataDir } = config.general;\n',
      text: "  if (config.smtp.announce === 'on') log.info('smtp.announced', { port: config.smtp.port });\n",
    },
    {
      file: 'packages/config/src/announce-setting.test.ts',
      text: `import { expect, it } from 'vitest';

import { loadConfig } from './load-config.ts';

it('announces SMTP when it is asked to', () => {
  expect(loadConfig({}).smtp.announce).toBe('off');
  expect(loadConfig({ MAYFLY_SMTP_ANNOUNCE: 'on' }).smtp.announce).toBe('on');
});
`,
    },
  ],
  tests: ['packages/config/src/announce-setting.test.ts'],
};

/** @type {ScratchChange} */
const route = {
  name: 'dialect route',
  bound: '≤ 2',
  edits: [
    {
      file: 'src/compat/inbucket/mailboxes.ts',
      after: 'import { toHeaderView',
      text: ', toCountView',
    },
    {
      file: 'src/compat/inbucket/mailboxes.ts',
      after: 'export const mailboxRoutes = [\n',
      text: `  sessionRoute('GET /api/v1/mailbox/:name/size/all', 'how many it has', async ({ services }, call) => {
    const { heads } = await openMailbox(services, call);
    return { body: await writeJson(toCountView(heads.length)) };
  }),
`,
    },
    {
      file: 'src/compat/inbucket/inbucket-views.ts',
      after: "import type { MessageHead } from '../../service/mail/message-heads.ts';\n",
      text: `
export function toCountView(messages: number): object {
  return { messages };
}
`,
    },
    {
      file: 'test/integration/compat-inbucket-count.test.ts',
      text: `import { expect, it } from 'vitest';

import { bearer, startCompat } from './compat-harness.ts';
import { ask } from './http-harness.ts';

it('counts the messages of a mailbox', async () => {
  const harness = await startCompat();
  const { token } = await harness.services.createCaptureSession({});
  const answer = await ask(harness, '/api/v1/mailbox/fox/size/all', { headers: bearer(token) });
  expect(answer.json).toEqual({ messages: 0 });
});
`,
    },
  ],
  tests: ['test/integration/compat-inbucket-count.test.ts', 'test/integration/compat-matrix.test.ts'],
};

/** @type {ScratchChange} */
const extension = {
  name: 'SMTP extension',
  bound: '≤ 4',
  edits: [
    {
      file: 'packages/mail-receiver/src/engine-step.ts',
      after: "    'CHUNKING',\n",
      text: "    'MT-PRIORITY',\n",
    },
    {
      file: 'packages/mail-receiver/src/parse-path.ts',
      after: "      if (!authIdentity.test(value ?? '')) return replies.badArguments;\n",
      text: `    } else if (keyword === 'MT-PRIORITY') {
      if (!/^-?\\d$/.test(value ?? '')) return replies.badArguments;
`,
    },
    {
      file: 'docs/standards.md',
      afterLine: '| RFC 6152 8BITMIME ',
      text: '| RFC 6710 MT-PRIORITY | accepted | Every message has the same priority |\n',
    },
    {
      file: 'packages/mail-receiver/src/mt-priority.test.ts',
      text: `import { expect, it } from 'vitest';

import { parseMail } from './parse-path.ts';
import { replies } from './reply.ts';

it('takes a priority from -9 to 9 (RFC 6710)', () => {
  expect(parseMail('FROM:<a@b.test> MT-PRIORITY=-3')).toMatchObject({ mailFrom: 'a@b.test' });
  expect(parseMail('FROM:<a@b.test> MT-PRIORITY=10')).toBe(replies.badArguments);
});
`,
    },
  ],
  tests: ['packages/mail-receiver/src/mt-priority.test.ts'],
};

export const changes = [port, operation, command, setting, route, extension];
