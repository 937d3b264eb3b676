// The texts of push messages in the languages of the page, chosen by the browser's language: a worker cannot load the
// page's texts.

const words = {
  ar: 'بريد جديد',
  de: 'Neue Nachricht',
  en: 'New message',
  es: 'Mensaje nuevo',
  fr: 'Nouveau message',
  hi: 'नया संदेश',
  ja: '新着メッセージ',
  pt: 'Nova mensagem',
  ru: 'Новое сообщение',
  zh: '新邮件',
} as const;

export function chooseWords(languages: readonly string[]): string {
  for (const language of languages) {
    const code = language.split(/[-_]/)[0]?.toLowerCase() ?? '';
    if (Object.hasOwn(words, code)) return words[code as keyof typeof words];
  }
  return words.en;
}
