// Numbers that look like codes because of nearby words, through findCodes: addresses, postal codes, orders, coupons,
// labels.
import { describe, expect, it } from 'vitest';
import { findCodes } from './find-codes.ts';

interface Parts {
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string | null;
}

function shown({ subject = '', text = '', html = null }: Parts): string | null {
  const [best] = findCodes({ subject, text, html, senderName: 'Acme', senderEmail: 'no-reply@acme.example' });
  return best && best.confidence >= 0.8 ? best.value : null;
}

const order = `Thanks for shopping with us. Here is what you bought.\n\nDesk lamp, 1 piece, $49.90\n`;

describe('an address', () => {
  it.each([
    'Acme Inc, 1 Microsoft Way, Redmond, WA, USA 98052',
    'Acme | 410 Terry Ave N | Seattle, WA 98109 | USA',
    'San Jose, CA, United States 95113',
    'Acme Pvt Ltd, 14 Residency Road, Bengaluru, PIN Code: 560038',
    'Plot 7, Sector 44, Gurugram, Haryana PIN 122003',
    'Acme Ltd, Andheri East, Mumbai - Pincode: 400069',
    'Acme GmbH, Lindenstraße 48, 10969 Berlin',
    'Acme SAS, 18 rue de la République, 69002 Lyon',
    'Acme AB, Stora Nygatan 33, 11127 Stockholm',
    'Acme Oy, Mannerheimintie 20, 00100 Helsinki',
    'Acme s.r.o., Na Příkopě 14, 11000 Praha 1',
    'Acme Kft., Váci utca 19, 1052 Budapest',
    'ООО «Акме», ул. Ленина, 24, Москва, 125009',
    'Acme d.o.o., Ilica 48, 10000 Zagreb',
    '株式会社アクメ 〒220-0012 横浜市西区みなとみらい3-3-1',
    'Acme SRL, Calea Victoriei 63, 010063 București',
    'Acme Sdn Bhd, Jalan Ampang 55, 50450 Kuala Lumpur',
  ])('is not a code in an order, beside a button or where a code is mentioned: %s', (address) => {
    expect(shown({ subject: 'Your order is on its way', text: `${order}\n${address}\n` })).toBeNull();
    const button = '<a href="https://click.example/x">Confirm my e-mail</a>';
    expect(shown({ html: `<p>Welcome!</p>${button}<p style="font-size:11px">${address}</p>` })).toBeNull();
    const text = `We sent a verification code to your phone. Enter it to sign in.\n\n${address}\n`;
    expect(shown({ subject: 'Check your phone', text })).toBeNull();
    expect(shown({ subject: 'News', text: `Use the long weekend and type less.\n\n${address}` })).toBeNull();
  });

  it('in India has its PIN code on a separate line', () => {
    const text =
      'Deliver to:\nAsha Rao\n12 MG Road, Indiranagar\nBengaluru, Karnataka\nPIN Code: 560038\nIndia\n';
    expect(shown({ subject: 'Your order has shipped', text })).toBeNull();
  });

  it('does not hide a code above it', () => {
    const text = 'Your code is 482913.\n\nAcme Inc, 1 Microsoft Way, Redmond, WA, USA 98052\n';
    expect(shown({ text })).toBe('482913');
    expect(shown({ text: 'Your PIN code is 560038. It expires in 10 minutes.' })).toBe('560038');
  });
});

const labels = (
  'Customer,Employee,Member,HSN,Ticket,Dealer,Agent,Partner,Batch,Vendor,Supplier,Warehouse bin,Shelf,' +
  'Style,Colour,Fabric,Commodity,Carrier,Service,Route,Depot,Terminal,Branch,Counter,Cashier,Operator,Reason,Return,' +
  'Product,Item,Article,Model,Size,Category,Department,Project,Cost centre,Budget,Tariff,Customs,Region,Zone,Area,' +
  'Store,Shop,Outlet,Franchise,Studio,Class,Course,Exam,Seat,Row,Plant,Machine,Part,Asset,Meter,Tariff,Contract'
).split(',');

describe('a code that belongs to an order', () => {
  it.each(labels)('%s code', (label) => {
    const text = `${order}Order number: 40219937\n${label} code: 482913\nTotal: $49.90\n`;
    expect(shown({ subject: 'Your order is confirmed', text })).toBeNull();
    const rows = `<tr><td>Order number</td><td>40219937</td></tr><tr><td>${label} code</td><td><b>48291</b></td></tr>`;
    expect(
      shown({ subject: 'Order confirmation', html: `<h2>Thank you</h2><table>${rows}</table>` }),
    ).toBeNull();
    expect(shown({ subject: 'Acme', text: `${order}\n${label} code: 4829\n` })).toBeNull();
  });

  it.each([
    'お客様コード：482913',
    '社員コード：48291',
    '직원코드: 482913',
    '고객코드: 48291',
    'Bayi kodu: 482913',
    'Müşteri kodu: 48291',
    '客户代码：482913',
    '員工代碼：48291',
    'Kundencode: 482913',
    'Code client : 482913',
    'Código de cliente: 482913',
    'Codice cliente: 482913',
    'Codice PNR: 48291',
    'Klantcode: 482913',
    'Kod klienta: 482913',
    'Код клиента: 482913',
    'Mã khách hàng: 482913',
    'Kode pelanggan: 482913',
    'كود العميل: 482913',
    'کد مشتری: 482913',
    'ग्राहक कोड: 482913',
    'Kundkod: 482913',
    'Kundekode: 482913',
    'Asiakaskoodi: 482913',
    'Kód zákazníka: 482913',
    'Ügyfélkód: 482913',
    'Cod client: 482913',
    'Κωδικός πελάτη: 482913',
    'קוד לקוח: 482913',
    'รหัสลูกค้า: 482913',
    'গ্রাহক কোড: 482913',
    'வாடிக்கையாளர் குறியீடு: 482913',
    'کسٹمر کوڈ: 482913',
    'Codi de client: 482913',
    'Šifra kupca: 482913',
    '482913 numaralı siparişiniz yola çıktı',
  ])('%s', (line) => {
    expect(shown({ subject: 'Acme 2026', text: `${line}\n` })).toBeNull();
    expect(shown({ subject: 'Acme', html: `<p>Acme</p><p><b>${line}</b></p>` })).toBeNull();
  });
});

describe('a code for everybody', () => {
  it.each([
    ['Invitation', 'Meeting ID: 482 9173 5482\nPasscode: 739204\n'],
    ['Invitación a la reunión', 'ID de reunión: 482 9173 5482\nCódigo de acceso: 739204\n'],
    ['Zaproszenie', 'ID spotkania: 482 917 354\nKod dostępu: 739204\n'],
    ['Convite', 'ID da reunião: 482-9173-5482\nSenha de acesso: 739204\n'],
  ])('opens a meeting: %s', (subject, text) => {
    expect(shown({ subject, text })).toBeNull();
  });
});

describe('a label whose value repeats the number before it', () => {
  it.each(['Acme, Mumbai 400001 · PIN 400001 · GSTIN 27AABCU4829N1ZM', 'Acme | Pune 411001 | PIN: 411001'])(
    'is no code: %s',
    (foot) => {
      const html = `<p>Please confirm your address with the button.</p><a href="https://a.example/c">Confirm</a>`;
      expect(
        shown({ subject: 'Confirm your address', html: `${html}<p style="font-size:11px">${foot}</p>` }),
      ).toBeNull();
    },
  );
});

describe('a noun that is a verb elsewhere', () => {
  it.each(['Typ: 58392', 'Type: 58392', 'Tipo: 58392', 'Form type 1099', 'Marca: 58392', 'Blood type 5839'])(
    '%s',
    (line) => {
      expect(shown({ subject: 'Acme', text: `${line}\n` })).toBeNull();
      expect(shown({ subject: 'Bestätigung', text: `Hello,\n\n${line}\nQuantity: 2\n` })).toBeNull();
    },
  );
});

describe('a coupon without that name', () => {
  it.each([
    'Nhập mã SAVE15 để được giảm 50K cho đơn hàng đầu tiên.',
    '結帳時輸入 SAVE15，立即省下 100 元。',
    '结账时输入 SAVE15，立减 20 元。',
    'Aktionscode 8392 bis Sonntag an der Kasse nennen.',
    'Enter SAVE15 before Sunday and pay less.',
    'Enter 7XK29Q in the basket and take $20 off.',
    'Wpisz SAVE15 w koszyku i zapłać 20 zł mniej.',
    'Skriv SAVE15 i kassan så betalar du 100 kr mindre.',
    'Введите SAVE15 в корзине и заплатите на 500 ₽ меньше.',
    'お会計のときに SAVE15 と入れると500円引きになります。',
    'Sepette SAVE15 yazın, 50 TL daha az ödeyin.',
    'Use code SUMMER2026 for free delivery.',
  ])('%s', (text) => {
    expect(shown({ subject: 'Acme', text })).toBeNull();
    expect(shown({ subject: 'Only today', html: `<h1>Hello!</h1><p>${text}</p>` })).toBeNull();
  });
});

describe('a number of codes', () => {
  it.each([
    ['48291 one-time codes were used today', 'Most of them at 9 in the morning.'],
    ['Report', 'Your batch is ready: 17356 codes are now available.'],
    ['Informe', 'Esta semana se enviaron 48291 códigos.'],
  ])('is no code: %s', (subject, text) => {
    expect(shown({ subject, text })).toBeNull();
  });

  it('hides no code that a word for codes follows', () => {
    expect(
      shown({ subject: 'Sign in', text: '482913 is your login code. Codes expire after 10 minutes.' }),
    ).toBe('482913');
  });
});

describe('a line that a program logged', () => {
  it.each([
    '2026-11-09 07:50:24 host2 app[10943]: code 549839',
    'Nov  9 07:50:24 mail sshd[812]: verification code 549839',
    '2026-11-09T07:50:24Z INFO login code 549839',
  ])('has no code: %s', (line) => {
    expect(shown({ subject: '[acme] deploy 4050', text: `${line}\n` })).toBeNull();
  });

  it('is no line that begins with the time of a code', () => {
    expect(shown({ subject: 'Login', text: '2026-11-09 07:50:24 Your login code is 549839.' })).toBe(
      '549839',
    );
  });
});
