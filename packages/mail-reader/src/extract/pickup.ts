// Recognises codes that open a parcel locker or are given to a courier, not typed to sign in: by words of parcels and
// collection beside the code. Called by find-codes.ts for the codes it returns. Examines a bounded range.
import type { Candidate } from './find-candidates.ts';
import { firstAtOrAfter, type CodeSource } from './code-source.ts';
import { foldCase } from './fold-text.ts';

const reach = 240;

/** Beginnings of words in scripts with spaces (whole words with "!"), and words in those without. */
const stems = `pickup, pick-up, pick up, picking up, collection code, collection pin, collect it, collect your, collect the, locker, parcel!, parcels!, courier, delivery code,
  delivery pin, delivery otp, driver!, click & collect, abhol, packstation, paketstation, paketbox, paketfach, zustell, lieferpin, liefercode, empfangscode, dem boten, dem fahrer,
  retrait, retirer, colis, livreur, livraison, point relais, recogida, recoger, taquilla, repartidor, paquete, código de entrega, levantamento, retirada, retirar, cacifo, entregador,
  encomenda, código de entrega, ritiro, ritirare, consegna, corriere, fattorino, pacco, afhaal, ophaal, pakket, bezorg, odbioru!, odbierz, odebra, przesyłk, paczk, kurier, doręcz, код получения, получения заказа, получения посылки, для получения назовите, постамат, посылк,
  пункте выдачи, код выдачи, курьер, код отримання, для отримання назв, поштомат, посилк, код видачі, кур’єр, кур'єр, teslim, kargo, kurye, utlämning, uthämt, hämta ut, hämtkod, paketet, afhent, pakkeboks, pakken, udlever,
  hentekode, utlever, nouto, lokero, pakettiautomaat, vyzvedn, výdejn, zásilk, z-box, výdajn, zásielk, vyzdvihn, átvétel, csomagautomat, csomagja, csomagod, futár, ridicare, coletul, curier,
  παραλαβ, δέμα, δεματ, θυρίδα, recollida, lliurament, repartidor, preuzim, paketomat, pošiljk, dostavlja, prevzem, atsiėm, siunta!, siuntą!, siuntos!, siuntai!, paštomat, kurjer, saņemš, pakomāt, sūtījum, pakiautomaa, pakikapi,
  код за получаване, пратк, куриер, преузим, пошиљк, paketomat, ambil paket, kode ambil, pengambilan, loker, kurir, kod ambil, kutipan, bungkusan, nhận hàng, lấy hàng, bưu kiện, tủ khóa, giao hàng,
  подигање, marrje, merrni pako, dollapi, postamat, bağlama, kuryer, pochtomat, posilka, сәлемдеме, жіберілім, paketea, bailiúch, beartán, casgliad, pakkanum`;
const joined = `استلام, التوصيل, المندوب, خزانة, طرد, شحنه, صندوق الطرود, کد تحویل, هنگام تحویل, آماده تحویل, تحویل بگیر, دریافت مرسوله, دریافت از کمد, مرسوله, کمد, پیک, איסוף, לוקר, שליח, חבילה, משלוח, पिकअप, लॉकर, पार्सल, डिलीवर, কুরিয়ার, পিকআপ, পার্সেল, লকার, ডেলিভারি,
  பார்சல், லாக்கர், டெலிவரி, பிக்கப், پارسل, لاکر, ڈیلیوری, 取件, 取货, 取貨, 提货, 提貨, 自提, 快递, 快遞, 包裹, 智能柜, 快递柜, 外卖, 受取コード, 受取番号, 受取り番号, 受け取り, 引取, 引き取り, 宅配, ロッカー, 配達, 荷物, 수령, 픽업, 택배, 보관함, 무인함, 락커, 배송,
  배달, รับพัสดุ, พัสดุ, ตู้ล็อกเกอร์, ล็อกเกอร์, ამანათ, კურიერ, ծանրոց, առաքիչ, ጥቅል, កញ្ចប់, ພັດສະດຸ, ပါဆယ်, පාර්සල්, પાર્સલ, ਪਾਰਸਲ, ପାର୍ସଲ, పార్సెల్, ಪಾರ್ಸೆಲ್, പാഴ്സൽ`;

const words = (list: string): string =>
  [...new Set(list.split(',').map((word) => foldCase(word.trim()).replace('!', String.raw`(?!\p{L})`)))].join(
    '|',
  );
const collecting = new RegExp(`(?<!\\p{L})(?:${words(stems)})|${words(joined)}`, 'u');

/** Reports whether words of parcels are in the code's line or the one above. */
export function isForPickup(source: CodeSource, { start, end }: Candidate): boolean {
  const at = Math.max(0, firstAtOrAfter(source.lines, start + 1) - 1);
  const line = source.lines[at];
  const above = source.lines[at - 1] ?? line;
  const from = Math.max(above?.start ?? 0, start - reach);
  const to = Math.min(line?.end ?? source.text.length, end + reach / 2);
  return collecting.test(source.folded.slice(from, to));
}
