// Function words that distinguish languages in Latin letters; see ../tell-languages.ts. Only words found in nearly
// every text; those shared by several languages count less for each.

/** By language, in the order of their bits. */
export const functionWords: Readonly<Record<string, string>> = {
  en: 'the your you is to of and this for with if not from have we our it was by at on are be can please that will or my',
  de: 'der die das und ist dein deine ihr ihre sie du nicht mit für von zu auf den dem ein eine bitte wir uns diese diesen wenn oder hast haben im wurde wird nach bei',
  fr: 'le la les vous votre vos et est pour de du des un une ce cette dans sur avec pas nous ne si qui que par au aux être été avez voici il elle',
  es: 'el la los las tu su para de que por con en un una es no este esta si has y del al se te lo más como tus sus aquí',
  pt: 'o a os as seu sua para de que por com em um uma é não este esta se você e do da ao na no mais como seus suas aqui nos nosso nossa',
  it: 'il lo la gli le tuo tua per di che con in un una è non questo questa se hai e del della al nel più come suo sua i ti ecco nostro nostra',
  nl: 'de het een je jouw u uw voor van en is met niet op te dit deze als naar bij om wij ons hebt heeft zijn er aan werd deze',
  pl: 'i w z na do się nie jest to twój twoje twoją dla aby jeśli lub od przez ten tę po ci masz że za ty o proszę został',
  tr: 've bir bu için ile siz sizin değil eğer olarak da de ya veya kadar sonra olan lütfen mi biz daha ise hesabınız bunu',
  vi: 'của bạn là và không để cho này các trong với được từ có đã nếu hãy vui lòng một những chúng tôi sẽ đến',
  id: 'dan anda yang untuk ini di ke dari tidak dengan adalah atau jika akan kami pada telah itu silakan jangan bukan kepada dalam oleh ialah',
  ms: 'dan anda yang untuk ini di ke dari tidak dengan ialah adalah atau jika akan kami pada telah itu sila jangan bukan kepada dalam oleh boleh',
  sv: 'och är din ditt du för att det som inte med på en ett den av till om har vi här från eller detta vid kan ditt',
  da: 'og er din dit du for at det som ikke med på en et den af til om har vi her fra eller dette ved kan hvis dig',
  no: 'og er din ditt du for at det som ikke med på en et den av til om har vi her fra eller dette ved kan hvis deg',
  fi: 'ja on sinun että tämä se ei ole jos tai voit olet kun mutta niin sen tämän ovat me teidän sinä vain jotta kanssa tällä',
  cs: 'a je na do se že pro to ten váš vaše vašeho vám pokud nebo jste si v z od při není po byl tento s tímto prosím',
  sk: 'a je na do sa že pre to ten váš vaše vášho vám ak alebo ste si v z od pri nie po bol tento s týmto prosím',
  hu: 'a az és hogy nem egy ez van ha be meg el ön önnek vagy kell csak ezt kérjük a az is de ezen már volt ki erre',
  ro: 'și de la în cu nu este un o pentru din să pe ai tău ta care dacă sau acest această cont fi mai te ți acestui prin',
  ca: 'el la els les de que i per amb en un una és no aquest aquesta si teu teva teus has del al et més com sota des va nostre nostra',
  hr: 'i je na u za se da vaš vaša vaše ovo ako ili od s sa to su ste vas ovaj ova nije kod do iz po biste molimo',
  sl: 'in je na v za se da vaš vaša vaše to če ali od s z so ste vas ta ni do iz po bi prosimo pri',
  lt: 'ir yra į su jūsų šis ši jei arba kad tai ne nuo iki iš apie mūsų buvo prie jums per kaip šį',
  lv: 'un ir uz ar jūsu šis šī ja vai ka tas nav no līdz par mūsu bija pie jums lai kā šo ievadiet',
  et: 'ja on teie see ei kui või et oma selle et siis meie teile oli seda mitte kuni sest palun ning',
};
