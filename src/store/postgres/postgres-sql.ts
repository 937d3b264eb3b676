// Sql on PostgreSQL: one round trip per statement, and time by the database's clock.

import type { Connections, Run, Statement as NumberedStatement } from '#postgres/connections';
import type { Lease } from '../lease-store.ts';
import type { Syntax, Sql, Statement, Steps, Values } from '../sql/sql.ts';
import { asCallersError } from './database/callers-error.ts';
import { toFence } from './lease-fence.ts';

export interface PostgresSqlOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
  readonly syntax: Syntax;
}

/** A statement with numbered instead of named parameters. */
interface Numbered {
  readonly statement: NumberedStatement;
  /** In order of their numbers. */
  readonly names: readonly string[];
}

export class PostgresSql implements Sql {
  readonly syntax: Syntax;
  readonly #options: PostgresSqlOptions;
  readonly #numbered = new Map<string, Numbered>();

  constructor(options: PostgresSqlOptions) {
    this.#options = options;
    this.syntax = options.syntax;
  }

  all<Row extends object>(statement: Statement, values: Values = {}): Promise<Row[]> {
    const { connections } = this.#options;
    return asCallersError(this.#with(statement, values, (...numbered) => connections.read<Row>(...numbered)));
  }

  async get<Row extends object>(statement: Statement, values: Values = {}): Promise<Row | undefined> {
    const [row] = await this.all<Row>(statement, values);
    return row;
  }

  run<Row extends object>(statement: Statement, values: Values = {}): Promise<Row[]> {
    const { connections } = this.#options;
    return asCallersError(
      this.#with(statement, values, (...numbered) => connections.write<Row>(...numbered)),
    );
  }

  async runEach(statement: Statement, each: readonly Values[]): Promise<void> {
    for (const values of each) await this.run(statement, values);
  }

  /** A single statement is either sent or not, so a node that stops leaves no lock behind. */
  async runLeased(lease: Lease, statements: readonly Statement[], values: Values): Promise<boolean> {
    const { name: leaseName, holder, epoch } = lease;
    const held = await this.run(toLeased(statements), { ...values, leaseName, holder, epoch });
    return held.length > 0;
  }

  transaction<T>(steps: () => Steps<T>): Promise<T> {
    const transaction = this.#options.connections.transaction(async (run) => {
      const running = steps();
      let next = running.next();
      while (next.done !== true) {
        next = running.next(await this.#with(next.value.statement, next.value.values, run));
      }
      return next.value;
    });
    return asCallersError(transaction);
  }

  #with<Answer>(
    { name, text }: Statement,
    values: Values,
    run: (...numbered: Parameters<Run>) => Answer,
  ): Answer {
    let numbered = this.#numbered.get(name);
    if (!numbered) {
      numbered = toNumbered(name, text);
      this.#numbered.set(name, numbered);
    }
    const { statement, names } = numbered;
    return run(
      statement,
      names.map((one) => (one === 'now' ? this.#options.now() : toValue(values, one))),
    );
  }
}

function toLeased(statements: readonly Statement[]): Statement {
  const writes = statements.map(({ text }, at) => `write_${at} AS (${text})`);
  const fence = toFence(':leaseName', ':holder', ':epoch');
  const name = statements[0]?.name ?? '';
  return {
    name: `${name}_leased`,
    text: `WITH ${[fence, ...writes].join(', ')} SELECT 1 AS held FROM fence`,
  };
}

function toValue(values: Values, name: string): Values[string] {
  const value = values[name];
  if (value === undefined) throw new Error(`The statement has no value for :${name}.`);
  return value;
}

/** Names begin with a colon; two colons are a cast. */
const namePattern = /(?<!:):([a-z]\w*)/gi;

function toNumbered(name: string, text: string): Numbered {
  const names: string[] = [];
  const numbered = text.replace(namePattern, (_, one: string) => {
    if (!names.includes(one)) names.push(one);
    const number = `$${names.indexOf(one) + 1}`;
    return one === 'now' ? `mayfly.now_ms(${number})` : number;
  });
  return { statement: { name: `mayfly_${name}`, text: numbered }, names };
}
