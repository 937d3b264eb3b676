// The options of matchers, as a test gives them: a name that is none would otherwise pass for anything.

/** The values that an option takes: a description for people, and its test. */
export interface OptionKind {
  readonly is: string;
  readonly fits: (value: unknown) => boolean;
}

/** @throws TypeError for a name that the matcher does not take, and a value of another kind */
export function checkOptions(
  matcher: string,
  given: unknown,
  kinds: Readonly<Record<string, OptionKind>>,
): void {
  const names = Object.keys(kinds).join(', ');
  if (typeof given !== 'object' || given === null || Array.isArray(given) || given instanceof RegExp) {
    throw new TypeError(`${matcher} takes an object of options (${names}), not ${showValue(given)}.`);
  }
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      throw new TypeError(`${matcher} has no option ${showValue(name)}. It has ${names}.`);
    }
    if (value === undefined || kind.fits(value)) continue;
    throw new TypeError(`${matcher}: ${name} must be ${kind.is}, not ${showValue(value)}.`);
  }
}

export function showValue(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return 'a promise: await it first';
  if (typeof value === 'number' || value === undefined) return String(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value) ?? typeof value;
  }
  return 'an object';
}
