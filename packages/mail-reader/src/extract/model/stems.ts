// Stems of a few plain words in about a hundred languages, for the model over layout: code, minute, confirm, order. They
// say far less than the keywords of ../words, but say it in languages that those do not know. `*` allows letters there.
// Read by ../keyword-tables.ts.

export interface StemLists {
  /** Names of a code. */
  readonly code: string;
  /** The uses of codes: confirming, signing in, passwords. */
  readonly purpose: string;
  /** Minutes and hours. */
  readonly time: string;
  /** Orders, invoices, parcels, customers, totals, references. */
  readonly trade: string;
  /** Discounts. */
  readonly discount: string;
  /** The word "number" itself. */
  readonly number: string;
}

export const stems: StemLists = {
  code: `*code*, *kode, *koden, *kodet, kode*, *kod, *kodu*, *kodun*, *kodi*, *kody, *kodem, *kodom, *kodas, *kods, *kodą,
    *kodo, *koda, *kodot, *kodea*, *kodeak, *kodó*, *kóð*, *kotan, *kota, *kotuna, *kood, *koodi*, *koodh*, kóòdù, koodu,
    *koade, kodhi, kaody, *khodi, *khowudi, khoutu, *kód, *kódot, *kóddal, *kódja, kòd, cod, codul*, codi, codis, codice,
    codici, código*, códigos, còdi, còd, cód, codex, codic*, kodiċi, waehere, msimbo*, lambar, *codes, *пинкод, *код*,
    рамз*, *κωδικ*, κωδικό*, կոդ*, *կոդ*, კოდ*, קוד*, הקוד, *קאָד, *رمز*, *کود*, کد*, *کوڈ*, کۆد*, ڪوڊ*, *کوډ*, *कोड*,
    *सङ्केत*, *संकेत*, *কোড*, *ক'ড*, *ਕੋਡ*, *કોડ*, *କୋଡ*, *குறியீ*, *கோட்*, *కోడ్*, *ಕೋಡ್*, *കോഡ*, *කේත*, *รหัส*,
    *โค้ด*, *ລະຫັດ*, *កូដ*, *ကုဒ်*, *ኮድ*, *ኮዱ*, *인증번호*, *코드*, *번호를 입력*, *コード*, *認証番号*, *暗証番号*,
    *验证码*, *驗證碼*, *校验码*, *动态码*, *码*, *碼*, mã, *ކޯޑ*, *ཨང*, otp, pin, tan, passcode, *token*, *password*, *passwort,
    *wachtwoord, *passord, *lösenord, *пароль*, *гасло*, *heslo, *hasło, *salasana*, *parool, *parole, *slaptažodis,
    *jelszó*, *senha*, *contraseña*, şifre*, şifrə*, *parol*, *密码*, *密碼*, *パスワード*, *비밀번호*, wagwoord,
    mật khẩu, *lozinka*, *geslo*, fjalëkalim*, *лозинка*, *парола*, *паролата*, *ցաղտնաբառ*, *პაროლ*, *סיסמ*, *پاس*,
    *رمز*, *كلمه مرور*, *गुप्त*, *पासवर्ड*`,
  purpose: `verif*, *verifi*, confirm*, conferm*, *bestätig*, *bevestig*, bekräft*, bekræft*, bekreft*, *vahvist*, *kinnit*,
    apstiprin*, patvirtin*, potvr*, potrd*, ověř*, overov*, ellenőrz*, megerős*, staðfest*, подтвер*, підтвер*, пацвер*,
    потвър*, потвр*, раста*, ырасто*, тасдиқ*, *баталгаа*, doğrula*, təsdiq*, tasdiq*, egiazta*, thibitish*, qinisekis*,
    xác minh, xác nhận, *認証*, *確認*, *验证*, *驗證*, *确认*, *인증*, *확인*, *ยืนยัน*, *ຢືນຢັນ*, *تحقق*, *تاکید*,
    *تایید*, *تصدیق*, *אימות*, *אישור*, *סתיאפ*, *सत्याप*, *पुष्ट*, *पडताळ*, *যাচাই*, *নিশ্চিত*, *ચકાસ*, *ਤਸਦੀਕ*,
    *சரிபார்*, *உறுதி*, *ధృవీ*, *ಪರಿಶೀಲ*, *സ്ഥിരീ*, *සත්‍යාප*, *ផ្ទៀង*, *អតិថ*, *အတည်*, *ማረጋገ*, *επαλήθ*, *επιβεβ*,
    *հաստատ*, *დადასტურ*, login*, log in, log-in, logga in, log ind, logg inn, loguear*, sign in, sign-in, signing in,
    sign up, *anmeld*, *einlogg*, connexion, connecter, conectar*, iniciar ses*, inicio de ses*, acceso, acceder, accesso,
    accedere, *inlog*, aanmeld*, kirjaud*, sisselogi*, pieteik*, prisijung*, logowani*, zalogow*, přihl*, prihl*, belép*,
    bejelentkez*, prijav*, вход*, войти, увійти, ўвайсці, уваход*, влез*, пријав*, најав*, кіру*, кирүү*, giriş*, daxil*,
    kirish*, masuk*, log masuk, đăng nhập, *登录*, *登入*, *登錄*, *ログイン*, *로그인*, *เข้าสู่ระบบ*, *ເຂົ້າລະບົບ*,
    *الدخول*, *ورود*, *כניסה*, *להתחבר*, *लॉगिन*, *साइन इन*, *লগইন*, *લૉગિન*, *ਲੌਗਇਨ*, *உள்நுழை*, *లాగిన్*, *ಲಾಗಿನ್*,
    *ലോഗിൻ*, *පිවිස*, *σύνδεσ*, *մուտք*, *შესვლ*, *መግቢ*, kuingia, ukungena, aktiv*, activ*, актив*, authent*, *autent*,
    mewngofnodi, logáil*, saioa*, ensalut*, aditus`,
  time: `minut*, *minuut*, minuuttia, min, mín*, мин*, хвилин*, хвілін*, минут*, мүнөт*, dakika*, dəqiq*, daqiqa*, daqiiq*,
    xulek*, دقیق*, *دقائق*, *دقایق*, منٹ*, منٽ*, *دقیقو*, خولەک*, مىنۇت*, λεπτ*, րոպե*, წუთ*, דקות, דקה, מינוט*, *मिनट*,
    *मिनिट*, *मिनेट*, *निमेष*, *মিনিট*, *ਮਿੰਟ*, *મિનિટ*, *ମିନିଟ*, *நிமிட*, *నిమిష*, *ನಿಮಿಷ*, *മിനി*, *මිනිත්තු*,
    *นาที*, *ນາທີ*, *នាទី*, *မိနစ်*, *ደቂቃ*, *ደቓይ*, *분*, *分*, phút, menit, minit*, perc*, nóiméad, mionaid, munud*,
    munutenn, ìṣẹ́jú, nkeji, minti, minota, minitra, meneti, metsotso, *mizuz*, maminitsi, dakika*, *މިނެޓ*, *སྐར་མ*, hour*,
    stund*, heure*, hora*, uren, uur, timer, timmar, час*, saat*, *시간*, *小时*, *小時*, *時間*, giờ, jam, godzin*,
    hodin*, sekund*, second*, *ساعه*, *ساعت*`,
  trade: `order*, *bestell*, commande*, pedido*, *pediment*, ordin*, *ordre*, *tilaus*, tellimus*, pasūtījum*, užsakym*,
    zamówien*, objedn*, rendel*, comand*, comenz*, narudž*, porudž*, naroč*, заказ*, замов*, поръч*, поруџ*, нарач*,
    тапсырыс*, буйрут*, захиалг*, sipariş*, sifariş*, buyurtma*, *طلب*, *سفارش*, *הזמנ*, *ऑर्डर*, *অর্ডার*, *ઓર્ડર*,
    *ஆர்டர்*, *ఆర్డర్*, *订单*, *訂單*, *注文*, *주문*, đơn hàng, pesanan*, *คำสั่งซื้อ*, *สั่ง*, *ትዕዛዝ*, παραγγελ*,
    պատվեր*, შეკვეთ*, invoic*, rechnung*, *factur*, *fattur*, *faktur*, *fatur*, *számla*, *lasku*, *arve*, rēķin*,
    sąskait*, račun*, счет*, рахун*, *فاتور*, *发票*, *發票*, *請求*, hóa đơn, track*, *sendung*, *suivi*, *seguim*,
    *spediz*, *przesył*, zásil*, *пратк*, *посылк*, *посилк*, *运单*, *追蹤*, *伝票*, *운송*, *شحن*, parcel*, *paket*,
    colis, paquet*, pacco, paczk*, *پاکت*, custom*, *kund*, client*, *klient*, *клиент*, *клієнт*, *müşteri*, *客户*,
    *お客様*, *고객*, khách hàng, *pelanggan*, *عمیل*, *مشتری*, *לקוח*, *ग्राहक*, *গ্রাহক*, total*, summe*, summa, gesamt*,
    итого, разом, всего, *合计*, *合計*, *합계*, *總計*, refer*, *referen*, *viite*, receipt*, ticket*, buchung*, booking*,
    reserv*, rezerv*, card, karte*, carte, tarjeta, carta, cartão, karta*, kartou, kártya*, картой, карткою, картка, *کارت*,
    *بطاق*, *כרטיס*, *कार्ड*, *কার্ড*, *卡*, *カード*, *카드*, *บัตร*, thẻ, kartu, kad, bank*, vat, tax*, ust*, p. iva`,
  discount: `*discount*, *rabat*, coupon*, *kupon*, cupón*, cupom, promo*, *promo*, descuent*, descont*, sconto, *korting*,
    gutschein*, zľav*, zlev*, slev*, скид*, знижк*, отстъпк*, попуст*, *жеңілдік*, indirim*, endirim*, chegirma*, *خصم*,
    *تخفیف*, *הנחה*, *छूट*, *ছাড়*, *优惠*, *優惠*, *折扣*, *割引*, *クーポン*, *할인*, *ส่วนลด*, giảm giá, diskon*, diskaun*,
    soodus*, atlaid*, nuolaid*, kedvezm*, reducer*, popust*, έκπτωσ*, զեղչ*, ფასდაკლ*, *ቅናሽ*, afslag*, *alennus*, zbritj*,
    *deskont*, voucher*, *voucher*, *%*`,
  number: `number*, no., nr, nr., nummer*, *nummer, *nummern, num*, núm*, número*, numéro, numero, numer, numri, numru, číslo,
    čísla, szám*, *szám, *numero, broj, број, številka, номер*, номир*, нумар, нөмірі, номери, нөмерi, дугаар, raqam*, nömrə*,
    numara*, numarası, nomor, nomer, nombor, số, *号*, *號*, *番号*, *번호*, *رقم*, *شماره*, *شمار*, *نمبر*, *نومۇر*, *מספר*,
    *नंबर*, *नम्बर*, *संख्या*, *सङ्ख्या*, *क्रमांक*, *নম্বর*, *નંબર*, *ਨੰਬਰ*, *எண்*, *నంబర్*, *ಸಂಖ್ಯೆ*, *നമ്പർ*, *අංකය*,
    *หมายเลข*, *เลขที่*, *ເລກ*, *លេខ*, *နံပါတ်*, *ቁጥር*, αριθμ*, համար*, ნომერ*, nambari, uimhir, rhif, àireamh, niverenn,
    inombolo, nimero, laharan*, tau, id`,
};
