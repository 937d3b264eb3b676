// Why the service cannot start, in one line for the operator. Thrown by the composition, printed by main.ts.

export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Waits for a part to start; its failure becomes a StartError that says which part it was. */
export async function starting<T>(what: string, part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${what}: ${(error as Error).message}`, { cause: error });
  }
}
