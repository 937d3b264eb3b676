// The parts of Cypress's types that the commands use, for compiling without Cypress installed. Not published; a test
// compiles the package with the real ones.

declare namespace Cypress {
  interface Chainable<Subject = unknown> {
    task<Result>(
      name: string,
      argument: unknown,
      options: { readonly log: boolean; readonly timeout: number },
    ): Chainable<Result>;
    then<Result>(use: (subject: Subject) => Result): Chainable<Result>;
  }
  interface Log {
    set(properties: { readonly message: string }): Log;
  }
}

declare const cy: Cypress.Chainable;

declare const Cypress: {
  readonly Commands: unknown;
  log(properties: { readonly name: string; readonly message: string }): Cypress.Log;
};

declare function after(hook: () => unknown): void;
