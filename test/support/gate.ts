// A gate that a test keeps shut until it has looked: for asking what the world sees before something is done.

export interface Gate {
  /** Resolves when somebody has come to the gate. */
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
