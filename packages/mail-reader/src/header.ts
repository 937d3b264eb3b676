// Entry point for reading headers alone while mail is received; loads neither the search for codes nor the sanitiser.
export { readFromField, type FromField } from './header/from-domain.ts';
export { type Mailbox, parseMailboxes } from './header/header-address.ts';
export { parseHeaderDate } from './header/header-date.ts';
export {
  firstValue,
  type HeaderLimits,
  type RawField,
  type RawHeader,
  readHeaderFields,
} from './header/header-fields.ts';
export { declaredCharsetOf, type HeaderSummary, readSummary } from './header/summary.ts';
