// A bucket of R2 in memory, as the worker at Cloudflare uses it.

export class MemoryBucket {
  readonly objects = new Map<
    string,
    { readonly value: Uint8Array; readonly customMetadata: Record<string, string> }
  >();
  /** Whether it takes nothing. */
  isAway = false;

  put(
    key: string,
    value: Uint8Array,
    { customMetadata }: { readonly customMetadata: Record<string, string> },
  ): Promise<unknown> {
    if (this.isAway) return Promise.reject(new Error('R2 is away.'));
    this.objects.set(key, { value: Uint8Array.from(value), customMetadata });
    return Promise.resolve({});
  }

  get(key: string) {
    const found = this.objects.get(key);
    if (!found) return Promise.resolve(null);
    const { value, customMetadata } = found;
    return Promise.resolve({
      key,
      customMetadata,
      arrayBuffer: () => Promise.resolve(Uint8Array.from(value).buffer),
    });
  }

  list({
    prefix,
    limit,
    cursor = '',
  }: {
    readonly prefix: string;
    readonly limit: number;
    readonly cursor?: string;
  }) {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > cursor).sort();
    const listed = keys.slice(0, limit);
    const last = listed.at(-1);
    const truncated = keys.length > limit;
    const more = truncated && last !== undefined ? { cursor: last } : {};
    return Promise.resolve({ objects: listed.map((key) => ({ key })), truncated, ...more });
  }

  delete(key: string): Promise<void> {
    this.objects.delete(key);
    return Promise.resolve();
  }
}
