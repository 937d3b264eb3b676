// Between first-request.ts, which stands in the page, and the page's own script.
interface Window {
  /** The answer to first-request.ts; absent once it is taken. */
  firstAnswer?: Promise<Response | null>;
  /** Lets other tabs go on, which then find the address that this one has kept. */
  firstKept?: () => void;
}
