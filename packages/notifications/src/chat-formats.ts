// The chat services that hear of new mail, and how their URLs look. Apart from chat-message.ts because every start
// reads settings.

export const chatFormats = ['ntfy', 'telegram', 'slack', 'discord'] as const;

export type ChatFormat = (typeof chatFormats)[number];

/** Why a URL is none of the format's, without any of it; undefined when it is. */
export function chatUrlFault(format: ChatFormat, url: string): string | undefined {
  const { pathname, searchParams } = new URL(url);
  if (format === 'ntfy' && !/^\/[\w-]{1,64}$/.test(pathname)) {
    return 'must end in the name of a topic, such as https://ntfy.sh/my-topic';
  }
  if (format !== 'telegram') return undefined;
  const isCall = /^\/bot[^/]+\/sendMessage$/.test(pathname) && (searchParams.get('chat_id') ?? '') !== '';
  return isCall ? undefined : 'must be https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT';
}
