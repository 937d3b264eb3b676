// HTML as mailing tools write it: layouts of nested tables 600 to 640 px wide, in several languages. For tests of
// their display in a narrow window.

export interface TemplateMail {
  readonly subject: string;
  readonly html: string;
}

const vocabularies = [
  ['Confirm your registration', 'Headphones', 'Microphones', 'Loudspeakers', 'Quantity', 'Unsubscribe'],
  [
    'Bestätigen Sie Ihre Registrierung',
    'Kopfhörer',
    'Tischmikrofone',
    'Lautsprecherboxen',
    'Menge',
    'Abbestellen',
  ],
  ['Confirmez votre inscription', 'Casques', 'Microphones', 'Enceintes', 'Quantité', 'Désabonnement'],
  ['Подтвердите регистрацию', 'Наушники', 'Микрофоны', 'Громкоговорители', 'Количество', 'Отписаться'],
  ['أكّد تسجيلك', 'سماعات', 'ميكروفونات', 'مكبرات', 'الكمية', 'إلغاء الاشتراك'],
] as const;

type Words = (typeof vocabularies)[number];
type Layout = (words: Words, n: number) => string;

const cell = 'style="padding:8px;border:1px solid #ccc;font-family:Arial,sans-serif"';

const layouts: readonly Layout[] = [
  // A newsletter of one column in a full-width wrapper.
  ([title, ...goods], n) =>
    `<table width="100%" bgcolor="#f2f4f8"><tr><td align="center"><table width="600" style="width:600px;background:#fff">
    <tr><td style="padding:32px"><h1 style="font-size:32px">${title}</h1><p>No ${n}: ${goods.join(', ')}.</p></td></tr></table></td></tr></table>`,
  // Three columns of goods.
  ([title, one, two, three], n) =>
    `<table width="640" style="width:640px"><tr><td colspan="3"><h2>${title} ${n}</h2></td></tr>
    <tr><td width="33%"><h3>${one}</h3></td><td width="33%"><h3>${two}</h3></td><td width="34%"><h3>${three}</h3></td></tr></table>`,
  // A receipt with many columns.
  ([title, one, two, three, count], n) =>
    `<h2>${title}</h2><table style="border-collapse:collapse;min-width:620px"><tr><th ${cell}>${count}</th><th ${cell}>${one}</th><th ${cell}>${two}</th>
    <th ${cell}>${three}</th><th ${cell}>${count}</th></tr><tr><td ${cell}>${n}</td><td ${cell}>${one}</td><td ${cell}>${two}</td><td ${cell}>${three}</td><td ${cell}>1.299,00</td></tr></table>`,
  // Divs of a fixed width, from drag-and-drop builders.
  ([title, one, two], n) =>
    `<div style="width:600px;margin:0 auto;background:#eef"><div style="display:inline-block;width:290px"><h3>${one}</h3></div><div
    style="display:inline-block;width:290px"><h3>${two}</h3></div><h1 style="font-size:40px;margin:${n % 40}px">${title}</h1></div>`,
  // A button, a rule and a footer in a full-width table.
  ([title, one, , , , leave], n) =>
    `<table width="100%"><tr><td><p>${title}</p><a href="https://shop.example/verify?token=${'a1b2c3d4'.repeat(8)}${n}"
    style="display:inline-block;padding:14px 28px;background:#06c;color:#fff;white-space:nowrap">${one}</a><hr><p style="font-size:11px">${leave} · ${leave}</p></td></tr></table>`,
  // Sidebars that leave the middle little room.
  ([title, one, two, three], n) =>
    `<table width="600"><tr><td width="120" valign="top">${one}<br>${n}</td><td><h2>${title}</h2><p>${two} ${three}</p></td><td width="120" valign="top">${three}</td></tr></table>`,
  // Wide pictures that are missing, and text that must not break.
  ([title, one], n) =>
    `<img width="600" height="80" alt="${one}"><p style="white-space:nowrap">${title} ${one} ${n}</p><p>${one}</p>`,
  // Nested three deep, with padding at each level.
  ([title, one, two], n) =>
    `<table width="100%"><tr><td style="padding:24px"><table width="560"><tr><td style="padding:24px"><table width="500"><tr><td><h1>${title}</h1></td></tr>
    <tr><td><ul><li>${one} ${n}</li><li>${two}</li></ul></td></tr></table></td></tr></table></td></tr></table>`,
];

export function templateMails(count: number): TemplateMail[] {
  return Array.from({ length: count }, (_, at) => {
    const words = vocabularies[at % vocabularies.length]!;
    const layout = layouts[Math.floor(at / vocabularies.length) % layouts.length]!;
    const direction = words === vocabularies[4] ? ' dir="rtl"' : '';
    return {
      subject: `Template ${at}`,
      html: `<!DOCTYPE html><html><body${direction} style="margin:0">${layout(words, at)}</body></html>`,
    };
  });
}
