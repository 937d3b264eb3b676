// Between first-request.ts, which is built alone, and the page.
interface Window {
  /** The answer to first-request.ts; null once the page has begun, which from then on asks itself. */
  firstAnswer?: Promise<Response | null> | null;
  /** Lets other tabs go on, which then find the address that this one has kept. */
  firstKept?: () => void;
}
