// The kinds of codes, by what a code is for.

/** See docs/reading-codes.md. */
export const codeKinds = ['otp', 'pin', 'pickup', 'password', 'backup', 'quoted'] as const;
export type CodeKind = (typeof codeKinds)[number];

/** Kinds that lists show: a code to type, now. */
export const listedKinds: ReadonlySet<CodeKind> = new Set(['otp', 'pin', 'pickup']);
