// The words by which forms say what they are for, in the languages of the page and those around them. Not in the order
// of a dictionary: each line is one purpose, English first.

const any = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'iu');

export const words = {
  email: any(
    'e-?mail|email|\\bmail(?: ?address|adresse)|correo|courriel|adresse électronique|posta elettronica|\\be-?post',
    'почт|メール|电子邮[件箱]|邮箱|電子郵件|電郵|信箱|ईमेल|ई-मेल|بريد|이메일|электронн',
  ),
  signUp: any(
    'sign[ -_]?(?:me )?up|regist(?:er|ration|rer|rar|ri|ra)|\\bcreate\\b.{0,24}(?:account|profile|workspace|store|team|\\bid\\b)',
    'new[ -_]?(?:account|user|customer)|\\bjoin\\b(?! the newsletter| our newsletter)|get started|start (?:now|free|your|a|my)',
    'try .{0,12}free|free trial|open an? account|enroll|onboarding|become a member|create[-_]?(?:account|user)',
    'registrier|konto (?:anlegen|erstellen|eröffnen)|neues konto|neu hier|mitglied werden|kostenlos (?:starten|testen)',
    'regístr|crea(?:r|te)? .{0,8}cuenta|únete|darse de alta|nueva cuenta|inscr[íi]b|\\binscri(?:re|vez|ption)|cré(?:er|ation) .{0,12}compte',
    'nouveau compte|rejoindre|cadastr|criar .{0,6}conta|nova conta|inscreva|crea .{0,4}account|iscriviti ora|iscrizione',
    'регистр|созда(?:ть|йте) .{0,8}(?:аккаунт|уч[её]тн|профиль)|إنشاء حساب|أنشئ|تسجيل جديد|حساب جديد|سجّ?ل الآن',
    'साइन ?अप|पंजी|खाता बना|रजिस्टर|新規|会員登録|アカウント.{0,3}作成|無料で始め|サインアップ|ユーザー登録',
    '注册|註冊|创建.{0,4}[账帐][号户]|建立帳|免费加入|立即加入',
  ),
  logIn: any(
    'log[ -_]?in|sign[ -_]?in|log[ -]?on|welcome back|\\banmeld|einlogg|iniciar ?(?:sesi[óo]n|sessão)|acceder\\b|\\bentrar\\b',
    'connexion|se connecter|connectez|identifiez|войти|вход\\b|авториз|تسجيل الدخول|الدخول|लॉग ?[इि]न|साइन ?इन',
    'ログイン|サインイン|登录|登入|登錄|\\baccedi|inloggen|zaloguj|giriş|로그인',
  ),
  newsletter: any(
    'news ?letter|subscri(?:be|ption)|mailing ?list|stay (?:in|up|informed|tuned|connected)|notify me|keep me|in the loop|\\bupdates?\\b',
    'latest news|weekly|monthly|straight to your inbox|in your inbox|\\d ?% off|discount|to win|mailchimp|mc-embedded|klaviyo|\\bdigest\\b|no spam|be the first|new arrivals|(?:special|exclusive) offers',
    'rundbrief|abonnier|auf dem laufenden|bolet[íi]n|suscr[íi]b|suscripci|novedades|infolettre|abonnez|abonnement|actualit',
    'receba|novidades|assin(?:e|ar)|inscreva.{0,12}(?:news|boletim)|рассыл|подпи[сш]|новост|نشر[ةت]|النشرة|اشترك|آخر الأخبار',
    'न्यूज़?लेटर|सदस्यता|सब्सक्राइब|メルマガ|メールマガジン|ニュースレター|購読|最新情報|订阅|訂閱|电子报|電子報|最新资讯',
    'nieuwsbrief|bülten|뉴스레터|구독',
  ),
  reset: any(
    'forgot|forgotten|reset|recover|lost (?:your )?password|vergessen|zurücksetzen|olvid|restablec|recuperar|oubli|réinitialis',
    'esquec|redefinir|восстанов|забыл|сброс|نسيت|استعادة|إعادة تعيين|भूल|रीसेट|忘れ|再設定|忘记|忘記|重置|找回',
  ),
  search: any(
    'search|\\bsuch(?:e|en|begriff)|busca|recherch|pesquis|поиск|искать|بحث|खोज|検索|搜索|搜尋|\\bfilter|look ?up|find (?:a|by|people)',
  ),
  otherPerson: any(
    'invit(?:e|ation)|friend|colleague|teammate|co-?worker|recipient|someone|\\bguest|the person|refer(?:ral)?\\b|\\bshare|gift|send to|\\bcc\\b|\\bbcc\\b|their e-?mail',
    'einlad|freund|empfänger|amig|destinat[áa]rio|\\bami\\b|collègue|destinataire|друг|получател|пригла|صديق|दोस्त|友達|招待|友人|邀请|好友',
  ),
  otherUse: any(
    'unsubscri|abmelden|désabonner|отписат|track(?:ing)? (?:your|my|an?)? ?(?:order|parcel|package)|order (?:status|number|lookup)|donat|apply (?:for|now)|job application|bewerb|postul|candidat|reserv(?:e|ation)|\\bcheckouts?\\b|billing',
    'contact (?:us|form|sales)|sales team|how can we help|\\brsvp|\\bquote\\b|\\bsettings\\b|preferences|einstellungen|paramètres|ajustes|configurações|настройк|الإعدادات|सेटिंग|设置|設定|get in touch|send (?:us )?(?:a )?message|feedback|support request|\\bkontaktformular|contáctanos|contactez|comment\\b|leave a reply',
    '(?:change|update|new|neue|nouvel(?:le)?|nuevo|novo) .{0,16}e-?mail|e-?mail.{0,16}ändern|(?:nuevo|nueva .{0,12}) correo|нов(?:ая|ый) .{0,6}почт|新しいメール|新(?:的)?邮箱',
  ),
  repeat: any(
    'confirm|repeat|re-?(?:enter|type)|again|verify e|bestätig|wiederhol|confirma|repet|confirmer|retap|подтвер|повтор|تأكيد|पुष्टि|確認|确认|再次|conferma|tekrar',
  ),
  hasAccount: any(
    'already (?:have|a member|registered|using|on )|have an account\\?|(?:bereits|schon) (?:ein |registriert|mitglied)|ya tienes|déjà (?:un|client|inscrit|membre)|já tem',
  ),
  noAccount: any(
    '(?:don.t|do not) (?:yet )?have an? |no account|need an account|new (?:to|here|customer)|not (?:a member|registered)|noch kein|neu (?:bei|hier)|no tienes|¿nuevo|pas encore',
    'nouveau (?:sur|client)|não tem|ainda não',
  ),
  remember: any(
    'remember me|keep me (?:signed|logged)|stay (?:signed|logged)|angemeldet bleiben|recordarme|se souvenir|lembrar',
  ),
  trap: any(
    'honey|\\bpot\\b|leave .{0,16}(?:blank|empty)|do not fill|don.t fill|if you are (?:a )?human|\\bhp[-_]|nicht ausfüllen|\\bbot\\b|robot',
  ),
  code: any(
    '\\bcode|otp|one[- _]?time|verif|2fa|mfa|two[- ]factor|passcode|\\bpin\\b|\\btoken|\\bdigits?\\b|\\bchiffres|\\bziffern|dígitos|\\btan\\b|bestätigungs?|einmal|sicherheitscode|c[óo]digo|\\bcodice',
    'код|цифр|رمز|كود|कोड|ओटीपी|コード|認証|確認番号|桁|验证码|驗證碼|校验码|动态码|인증|\\bkod',
  ),
  strongCode: any(
    'otp|one[- _]?time|verif|2fa|mfa|two[- ]factor|passcode|bestätig|einmal|confirm|authent|login[- _]?code|sign.?in code|security[- _]?code|access[- _]?code|e-?mail',
    'подтвержд|провер|التحقق|تأكيد|सत्यापन|認証|確認|ワンタイム|验证|驗證|인증',
  ),
  otherCode: any(
    'promo|coupon|discount|voucher|gift|refer|invit|\\bzip|post(?:al|code|leit)|\\bplz\\b|country|area[- _]?code|dial|phone|cvv|cvc|card|sort|swift|bic|iban|\\bvat\\b|\\btax|product|sku|bar ?code|\\bqr\\b|captcha|\\b(?:day|month|year)\\b|birth',
    'source|colou?r|currency|\\bcep\\b|gutschein|rabatt|descuento|promocional|indicação|parrain|cadeau|промо|купон|индекс|приглас|优惠|邀请|邮编|郵便|クーポン|招待|紹介|खोज|قسيمة|دعوة|البريدي|team|class|course|room|meeting|game|recovery|backup',
  ),
  /** Codes that do not come by mail: from an app, a card, another screen. */
  elsewhere: any(
    'authenticator|autenticador|\\btotp\\b|authentifizierungs-app|ap\\S+ d(?:e |.)aut|認証\\S{0,4}アプリ|身份验证|验证器|驗證器|приложени.{0,8}аутентиф|المصادقة|ऑथेंटिकेटर',
    'gift ?card|voucher|gutschein|card ?number|memorable|(?:displayed|shown) on|text message|\\bsms\\b|yubikey',
  ),
} as const;
