/** Requests and actions of a text, in words for people. */
const ASKS = {
  money: 'asks for a payment',
  secret: 'asks for a code, password, card or identity papers',
  pressure: 'sets a deadline or threatens with a loss',
  secrecy: 'asks to keep it secret or not to call',
  gain: 'promises a gain, a prize or a refund',
  install: 'wants a file or an app installed',
  channel: 'moves to a messenger or writes from a new number',
} as const;
type Ask = keyof typeof ASKS;

/**
 * Words with which scams in languages without a lexicon ask for something, in lower case and without
 * diacritics. They are too few to judge a text. They only serve to doubt a model that calls such a text
 * harmless.
 */
// prettier-ignore
const WORDS: Record<Ask, readonly string[]> = {
  money: [
    // Chinese, Japanese, Korean
    '匯入', '匯款', '轉帳', '轉入', '存款轉', '保證金', '手續費', '配送費', '支付', '付款', '汇款', '转账', '转入', '充值', '繳清', '繳納',
    '振込', '振り込', '支払', '入金', '手数料', '송금', '입금', '결제', '수수료', '이체',
    // Spanish, Portuguese, Italian, French
    'transferir', 'transferencia', 'transfiera', 'bizum', 'pagar', 'pague', 'tasas', 'tasa de', 'gastos de', 'comision de', 'deposite', 'envie el dinero',
    'pix de', 'um pix', 'pagamento', 'taxa', 'deposite', 'pagare', 'paghi', 'paga ora', 'bonifico', 'spese di', 'ricarica',
    'virement', 'regler', 'reglez', 'payer', 'payez', 'frais de', 'frais d', 'facture a',
    // German, Dutch, Scandinavian, Finnish
    'uberweis', 'zahlen sie', 'bezahlen', 'gebuhr', 'rechnung uber', 'guthabenkarte', 'overmak', 'betaal', 'betalen', 'tikkie', 'kosten van',
    'betala', 'betal ', 'betale', 'overfor', 'swish', 'vipps', 'mobilepay', 'avgift', 'gebyr', 'maksa', 'maksu', 'tilisiirto',
    // Polish, Turkish, Indonesian, Russian
    'przelew', 'przelej', 'zaplac', 'oplat', 'doplat', 'blik', 'odeme', 'odeyin', 'havale', 'gonder', 'ucret', 'transfer', 'bayar', 'biaya', 'pulsa',
    'переве', 'оплат', 'комисси', 'предоплат',
  ],
  secret: [
    '信用卡', '密碼', '密码', '驗證碼', '验证码', '身分證', '身份证', '帳號資料', '暗証', '暗証番号', 'カード情報', 'カード番号', 'パスワード', '認証コード', '비밀번호', '인증번호',
    'contrasena', 'sus claves', 'su clave', 'codigo sms', 'codigo', 'pasaporte', 'datos bancarios', 'tarjeta', 'dni',
    'sua senha', 'senha', 'token', 'cpf', 'cartao', 'dados bancarios', 'password', 'codice', 'credenziali', 'carta di credito', 'iban',
    'mot de passe', 'carte bancaire', 'coordonnees bancaires', 'code recu', 'identifiants', 'rib ',
    'passwort', 'tan ', 'pushtan', 'zugangsdaten', 'kreditkarte', 'ausweis', 'code weiter', 'kontodaten', 'wachtwoord', 'pincode', 'inloggegevens', 'bankpas',
    'losenord', 'bankid', 'kortuppgifter', 'adgangskode', 'nemid', 'mitid', 'passord', 'kortnummer', 'salasana', 'pankkitunnu', 'tunnusluvu',
    'haslo', 'kod sms', 'dane karty', 'pesel', 'sifre', 'kart bilgi', 'onay kodu', 'kata sandi', 'kode otp', 'otp', 'pin atm', 'парол', 'код из', 'данные карты',
  ],
  pressure: [
    '小時內', '小时内', '逾期', '最後機會', '立即', '立刻', '凍結', '冻结', '通緝', '停用', '時間以内', '時間内', '本日中', '至急', '停止', '利用制限', '24시간', '즉시', '정지',
    'sera bloquead', 'sera suspendid', 'hoy mismo', 'antes de hoy', 'en 24 horas', 'inmediatamente', 'urgente', 'bloqueada hoy',
    'sera bloquead', 'imediatamente', 'em 24 horas', 'agora', 'verra bloccato', 'sara sospes', 'entro 24 ore', 'entro oggi', 'bloqu', 'avant ce soir', 'dans les 24', 'sous 24', 'suspendu', 'immediatement',
    'gesperrt', 'innerhalb von', 'noch heute', 'heute noch', 'sofort', 'binnen ', 'geblokkeerd', 'vandaag nog', 'onmiddellijk',
    'sparra', 'sparras', 'idag', 'omedelbart', 'inom 24', 'spaerr', 'sperret', 'innen 24', 'straks', 'med det samme', 'inden 24', 'suljetaan', 'valittomasti', 'heti',
    'zablokowan', 'natychmiast', 'dzisiaj', 'w ciagu 24', 'bloke', 'hemen', 'bugun', '24 saat', 'segera', 'diblokir', 'hari ini', 'заблокир', 'срочно', 'немедленно',
  ],
  secrecy: [
    '保密', '不要告訴', '別告訴', '不要跟', '秘密', '誰にも言わ', '内緒', '말하지',
    'discrecion', 'no se lo diga', 'no digas', 'no llames', 'discretion', 'nao conte', 'segredo', 'nao ligue', 'non dirlo', 'riservat', 'ne le dis', 'ne pas appeler', 'n appelle pas',
    'sag niemand', 'niemandem', 'nicht anrufen', 'vertraulich', 'niemand vertellen', 'niet bellen', 'beratta inte', 'ring inte', 'ikke ring', 'ikke fortael', 'ala kerro', 'ala soita',
    'nikomu', 'nie dzwon', 'kimseye', 'gizli', 'jangan bilang', 'rahasia', 'jangan telepon', 'никому', 'не звони',
  ],
  gain: [
    '保證獲利', '獲利', '高報酬', '明牌', '中獎', '領獎', '穩賺', '日領', '日薪', '稳赚', '中奖', '返利', '当選', '高収入', '副業', '必ず儲か', '당첨', '고수익',
    'ha ganado', 'has ganado', 'premio', 'herencia', 'ganancias garantizadas', 'reembolso', 'ingresos diarios',
    'voce ganhou', 'heranca', 'lucro garantido', 'renda extra', 'hai vinto', 'eredita', 'rimborso', 'guadagn', 'vous avez gagne', 'heritage', 'gains garantis', 'remboursement', 'revenus',
    'gewonnen', 'gewinn', 'erbschaft', 'rendite', 'nebenverdienst', 'euro am tag', 'euro pro tag', 'prijs gewonnen', 'rendement', 'verdien', 'har vunnit', 'du har vundet', 'du har vunnet', 'gevinst', 'avkastning', 'voittanut', 'tuotto',
    'wygral', 'nagrod', 'zysk', 'zarobi', 'kazandiniz', 'odul', 'garantili', 'kazanc', 'selamat anda', 'hadiah', 'pemenang', 'untung', 'cuan', 'выиграл', 'доход', 'приз',
  ],
  install: ['.apk', 'quicksupport', '安裝', '安装', 'インストール', '설치', 'instal', 'anydesk', 'teamviewer', 'scarica l app', 'lataa sovellus', 'yukle', 'unduh', 'установ'],
  channel: [
    '加line', 'line：', 'line:', 'line id', '加我', '加微信', 'whatsapp', 'telegram', 'signal', 'ラインを', 'line追加', '카톡',
    'nuevo numero', 'numero nuevo', 'novo numero', 'meu numero novo', 'nuovo numero', 'nouveau numero', 'neue nummer', 'nieuwe nummer', 'nieuw nummer', 'nytt nummer', 'nyt nummer', 'uusi numero', 'nowy numer', 'yeni numara', 'nomor baru', 'новый номер',
  ],
};

/** Number of characters of a text that are read. */
const READ = 8_000;

/** An app installer and programs for remote control, each of which is sufficient alone. */
const ENOUGH = /\.apk\b|\banydesk\b|\bteamviewer\b|\bquicksupport\b/;
const LEAST = 2;

/**
 * Returns the requests of a text in a language without a lexicon, each with the words of the text; empty: too
 * few to doubt a model. Of 300 harmless messages in 15 languages (samples/eval/other-languages.jsonl), none
 * has two kinds of requests.
 */
export function asksInOtherLanguages(text: string): string[] {
  const plain = textPlain(text.slice(0, READ));
  const asks = (Object.keys(WORDS) as Ask[]).flatMap((ask) => {
    const word = WORDS[ask].find((one) => plain.includes(one));
    return word === undefined ? [] : [`${ASKS[ask]} ("${word.trim()}")`];
  });
  return asks.length >= LEAST || ENOUGH.test(plain) ? asks : [];
}

// Words are compared without case and diacritics. Apostrophes separate words.
const textPlain = (text: string): string =>
  ` ${text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').normalize('NFC').replace(/[’'`]/g, ' ').replace(/\s+/g, ' ')} `;
