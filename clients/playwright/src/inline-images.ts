// Pictures that came with a message. The service's HTML names them by a path with a ticket, which has no place in a trace.

const path = '/inline-image';
const bytesMax = 10_000_000;

/** Returns the HTML with the part of the message alone in these paths. */
export function withoutTickets(html: string): string {
  return html.replaceAll(/src="[^"]*\/inline-image\?([^"]*)"/g, (_whole, query: string) => {
    const part = new URLSearchParams(query.replaceAll(/&(?:#38|amp);/g, '&')).get('part') ?? '';
    return `src="${path}?part=${encodeURIComponent(part)}"`;
  });
}

/** Of a URL made by `withoutTickets`, loads the picture; undefined for any other. */
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
