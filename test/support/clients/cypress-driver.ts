// A stand-in for Cypress, which cannot be installed everywhere: the part of its documented behaviour that our commands
// rely on. Commands queue up and run in turn; commands queued by a command's function, or by the one passed to `then`,
// run before what follows; `cy.task` passes JSON, refuses undefined, and fails with the task's message; the log shows
// everything not excluded from it.

export interface Chain {
  then(use: (subject: never) => unknown): Chain;
}

export type Task = (given: unknown) => unknown;

interface TaskOptions {
  readonly log?: boolean;
  readonly timeout?: number;
}

/** Commands queued by one function. */
interface Frame {
  last: Promise<unknown>;
}

class QueuedChain implements Chain {
  readonly subject: Promise<unknown>;
  readonly #driver: CypressDriver;

  constructor(driver: CypressDriver, subject: Promise<unknown>) {
    this.#driver = driver;
    this.subject = subject;
  }

  then(use: (subject: never) => unknown): Chain {
    return this.#driver.queue(async () => this.#driver.runInside(use, [(await this.subject) as never]));
  }
}

export class CypressDriver {
  /** Cypress's command log, as text. */
  readonly log: string[] = [];
  readonly timeouts: (number | undefined)[] = [];
  readonly cy: Record<string, (...given: never[]) => Chain> = {};
  readonly #tasks = new Map<string, Task>();
  readonly #hooks: (() => unknown)[] = [];
  #frame: Frame = { last: Promise.resolve() };

  constructor() {
    this.cy['task'] = (name: string, given: unknown = null, options: TaskOptions = {}) =>
      this.queue(() => this.#runTask(name, given, options));
  }

  /** The globals of a support file: `cy`, `Cypress` and mocha's hook. */
  readonly globals = {
    cy: this.cy,
    Cypress: {
      Commands: {
        add: (name: string, command: (...given: never[]) => unknown) => {
          this.cy[name] = (...given) => this.queue(() => this.runInside(command, given));
        },
      },
      log: (entry: { message: string }) => {
        const shown = { ...entry };
        const at = this.log.push(JSON.stringify(shown)) - 1;
        return { set: (more: object) => (this.log[at] = JSON.stringify({ ...shown, ...more })) };
      },
    },
    after: (hook: () => unknown) => this.#hooks.push(hook),
  };

  /** For `setupNodeEvents`. */
  readonly on = (_event: 'task', tasks: Record<string, Task>): void => {
    for (const [name, task] of Object.entries(tasks)) this.#tasks.set(name, task);
  };

  /** Runs a test's function, and returns when all it queued is done. */
  async run(test: () => unknown): Promise<void> {
    this.#frame = { last: Promise.resolve() };
    test();
    await this.#frame.last;
  }

  async runHooks(): Promise<void> {
    for (const hook of this.#hooks) await this.run(hook);
  }

  queue(work: () => Promise<unknown>): Chain {
    const frame = this.#frame;
    const subject = frame.last.then(work);
    frame.last = subject;
    return new QueuedChain(this, subject);
  }

  /** Returns the function's own value, or else the last subject of what it queued. */
  async runInside(use: (...given: never[]) => unknown, given: never[]): Promise<unknown> {
    const outer = this.#frame;
    const inner: Frame = { last: Promise.resolve(given[0]) };
    this.#frame = inner;
    const result = use(...given);
    const last = await inner.last;
    this.#frame = outer;
    return result instanceof QueuedChain || result === undefined ? last : result;
  }

  async #runTask(name: string, given: unknown, { log = true, timeout }: TaskOptions): Promise<unknown> {
    this.timeouts.push(timeout);
    if (log) this.log.push(JSON.stringify({ name: 'task', message: [name, given] }));
    const task = this.#tasks.get(name);
    if (!task) throw new Error(`cy.task('${name}') failed: it was not handled in setupNodeEvents`);
    let result;
    try {
      result = await task(JSON.parse(JSON.stringify(given)));
    } catch (error) {
      throw new Error(`cy.task('${name}') failed with the following error:\n\n> ${String(error)}`, {
        cause: error,
      });
    }
    if (result === undefined) throw new Error(`cy.task('${name}') failed: it returned undefined`);
    return JSON.parse(JSON.stringify(result));
  }
}
