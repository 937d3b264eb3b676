// A gate that a test keeps shut, to observe the state before an operation continues.

export interface Gate {
  /** Resolves when a caller has reached the gate. */
  readonly reached: Promise<void>;
  /** Waits at the gate. */
  pass(): Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let arrive: () => void = () => undefined;
  let open: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    reached,
    pass: () => {
      arrive();
      return opened;
    },
    open: () => {
      open();
    },
  };
}
