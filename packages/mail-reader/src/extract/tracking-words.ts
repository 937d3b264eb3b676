// Recognises the label of a link that follows a parcel or an order, in many languages. Used by classify-link.ts: such a
// link neither signs in nor confirms, whatever the sentences around it say.
import { foldCase } from './fold-text.ts';

/** Beginnings of words in scripts with spaces. */
const stems = `track, trace, shipment status, where is my, order status, delivery status, sendungsverfolg, sendung verfolg, verfolg, lieferstatus, suivre, suivi, seguimiento, seguir, rastrea,
  localizar, rastre, acompanhar, acompanhe, onde está, segui, traccia, dov’è, dov'è, volg, traceer, śledź, śledzenie, sprawdź status, takip, izle, отслед, отслеж, где посылка, відстеж, відслід, ट्रैक,
  theo dõi, tra cứu, lacak, jejak, pantau, spåra, följ, spor, følg, seuraa, seuranta, sledov, sleduj, nyomon, csomagköv, követ, urmăr, παρακολουθ, εντοπ, segueix, seguiment, prati, praćenj, sledi, sledenj, sekti, sekim,
  izseko, jälgi, проследи, прати, праћењ, следи, gjurmo, jarraitu, rekja, rian, kuzat, бақыла, көзөмөл, fuatilia, subaybay, olrhain, lurk, følgja`;
/** Words in scripts whose words are joined, or take prefixes. */
const joined = `تتبع, پیگیری, رهگیری, מעקב, ٹریک, 跟踪, 跟蹤, 追踪, 追蹤, 物流, 查件, 追跡, 配送状況, 배송 조회, 배송조회, 추적, ติดตาม, ট্র্যাক, ট্র্যাকিং, கண்காணி, தடமறி, டிராக், பின்தொடர், հետևել, თვალყურ, ክትትል, ટ્રૅક, ટ્રેક,
  ਟਰੈਕ, ట్రాక్, ಟ್ರ್ಯಾಕ್, ട്രാക്ക്, តាមដាន, ຕິດຕາມ, ခြေရာခံ`;

const words = (list: string): string =>
  list
    .split(',')
    .map((word) => foldCase(word.trim()))
    .join('|');
const tracking = new RegExp(`(?<!\\p{L})(?:${words(stems)})|${words(joined)}`, 'u');

export function namesTracking(label: string): boolean {
  return tracking.test(foldCase(label));
}
