// Pictures that came with a message. The service's HTML refers to them by a path with a ticket, which must not appear
// in a trace.

const path = '/inline-image';
const bytesMax = 10_000_000;

/** Returns the HTML with only the message's part id in these paths. */
export function withoutTickets(html: string): string {
  return html.replaceAll(/src="[^"]*\/inline-image\?([^"]*)"/g, (_whole, query: string) => {
    const part = new URLSearchParams(query.replaceAll(/&(?:#38|amp);/g, '&')).get('part') ?? '';
    return `src="${path}?part=${encodeURIComponent(part)}"`;
  });
}

/** Returns a function that loads the picture for a URL made by `withoutTickets`; undefined for any other. */
export function imageLoader(
  load: (part: string) => Promise<Uint8Array>,
): (url: URL) => Promise<Uint8Array | undefined> {
  return async ({ pathname, searchParams }) => {
    const part = searchParams.get('part') ?? '';
    if (pathname !== path || part === '') return undefined;
    const bytes = await load(part);
    return bytes.length > bytesMax ? undefined : bytes;
  };
}
