// Entry point for the kinds of codes. Loads nothing else.
export { type CodeKind, codeKinds, listedKinds } from './extract/code-kinds.ts';
