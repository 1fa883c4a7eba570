/** Labels of the lines of a notice. */
export interface NoticeLabels {
  whom: string;
  since: string;
  why: string;
  quote: string;
  first: string;
  /** One word for the title of a message that the alert is resolved. */
  resolved: string;
  /** A sentence without a full stop: who reports that the alert is resolved. */
  over: string;
}

/** Labels by language (BCP 47, without region). */
export const NOTICE_LABELS: Readonly<Record<string, NoticeLabels>> = {
  en: {
    whom: 'Affected',
    since: 'Since',
    why: 'Why',
    quote: 'Source',
    first: 'First',
    resolved: 'Resolved',
    over: 'The sender reports that the alert is resolved',
  },
  de: {
    whom: 'Betroffen',
    since: 'Seit',
    why: 'Grund',
    quote: 'Beleg',
    first: 'Zuerst',
    resolved: 'Behoben',
    over: 'Der Absender meldet, dass der Alarm behoben ist',
  },
  fr: {
    whom: 'Touché',
    since: 'Depuis',
    why: 'Cause',
    quote: 'Source',
    first: "D'abord",
    resolved: 'Résolu',
    over: "L'émetteur signale que l'alerte est résolue",
  },
  es: {
    whom: 'Afectado',
    since: 'Desde',
    why: 'Motivo',
    quote: 'Fuente',
    first: 'Primero',
    resolved: 'Resuelto',
    over: 'El emisor informa de que la alerta está resuelta',
  },
  it: {
    whom: 'Colpito',
    since: 'Dal',
    why: 'Motivo',
    quote: 'Fonte',
    first: 'Per prima cosa',
    resolved: 'Risolto',
    over: "Il mittente segnala che l'allarme è risolto",
  },
  pt: {
    whom: 'Afetado',
    since: 'Desde',
    why: 'Motivo',
    quote: 'Fonte',
    first: 'Primeiro',
    resolved: 'Resolvido',
    over: 'O remetente informa que o alerta foi resolvido',
  },
  nl: {
    whom: 'Getroffen',
    since: 'Sinds',
    why: 'Reden',
    quote: 'Bron',
    first: 'Eerst',
    resolved: 'Opgelost',
    over: 'De afzender meldt dat het alarm is opgelost',
  },
  pl: {
    whom: 'Dotyczy',
    since: 'Od',
    why: 'Powód',
    quote: 'Źródło',
    first: 'Najpierw',
    resolved: 'Rozwiązano',
    over: 'Nadawca zgłasza, że alert został rozwiązany',
  },
  ru: {
    whom: 'Затронуто',
    since: 'С',
    why: 'Причина',
    quote: 'Источник',
    first: 'Сначала',
    resolved: 'Устранено',
    over: 'Отправитель сообщает, что проблема устранена',
  },
  zh: {
    whom: '影响',
    since: '开始时间',
    why: '原因',
    quote: '依据',
    first: '首先',
    resolved: '已恢复',
    over: '发送方报告该告警已恢复',
  },
  ja: {
    whom: '影響',
    since: '開始',
    why: '理由',
    quote: '根拠',
    first: 'まず',
    resolved: '復旧',
    over: '送信元はアラートが復旧したと報告しています',
  },
  hi: {
    whom: 'प्रभावित',
    since: 'कब से',
    why: 'कारण',
    quote: 'स्रोत',
    first: 'पहले',
    resolved: 'हल हुआ',
    over: 'भेजने वाले ने बताया है कि समस्या हल हो गई है',
  },
};

/** Fixed phrases of rules, as kinds write them into the parts of a notice. */
const PHRASES = {
  unknownCause: 'The cause is not known.',
  critical: 'The alert is critical.',
  harmless: 'The alert is not critical, and no look-up shows harm at this time.',
  firing: 'still firing',
  openRunbook: 'Open the runbook: ',
  openPage: 'Open the page of the alert: ',
} as const;

/** Translations of these phrases by language. */
const TRANSLATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { [PHRASES.harmless]: 'The alert is not critical, and nothing that was queried shows harm now.' },
  de: {
    [PHRASES.unknownCause]: 'Die Ursache ist nicht bekannt.',
    [PHRASES.critical]: 'Der Alarm ist kritisch.',
    [PHRASES.harmless]: 'Der Alarm ist nicht kritisch, und keine Abfrage zeigt derzeit einen Schaden.',
    [PHRASES.firing]: 'besteht noch',
    [PHRASES.openRunbook]: 'Runbook öffnen: ',
    [PHRASES.openPage]: 'Seite des Alarms öffnen: ',
  },
  fr: {
    [PHRASES.unknownCause]: "La cause n'est pas connue.",
    [PHRASES.critical]: "L'alerte est critique.",
    [PHRASES.harmless]: "L'alerte n'est pas critique, et aucune vérification ne montre de dommage actuel.",
    [PHRASES.firing]: 'toujours active',
    [PHRASES.openRunbook]: 'Ouvrir le runbook : ',
    [PHRASES.openPage]: "Ouvrir la page de l'alerte : ",
  },
  es: {
    [PHRASES.unknownCause]: 'La causa no se conoce.',
    [PHRASES.critical]: 'La alerta es crítica.',
    [PHRASES.harmless]: 'La alerta no es crítica, y ninguna consulta muestra daños ahora.',
    [PHRASES.firing]: 'sigue activa',
    [PHRASES.openRunbook]: 'Abrir el runbook: ',
    [PHRASES.openPage]: 'Abrir la página de la alerta: ',
  },
  it: {
    [PHRASES.unknownCause]: 'La causa non è nota.',
    [PHRASES.critical]: "L'allarme è critico.",
    [PHRASES.harmless]: "L'allarme non è critico, e nessuna verifica mostra danni in questo momento.",
    [PHRASES.firing]: 'ancora attivo',
    [PHRASES.openRunbook]: 'Aprire il runbook: ',
    [PHRASES.openPage]: "Aprire la pagina dell'allarme: ",
  },
  pt: {
    [PHRASES.unknownCause]: 'A causa não é conhecida.',
    [PHRASES.critical]: 'O alerta é crítico.',
    [PHRASES.harmless]: 'O alerta não é crítico, e nenhuma consulta mostra danos agora.',
    [PHRASES.firing]: 'ainda ativo',
    [PHRASES.openRunbook]: 'Abrir o runbook: ',
    [PHRASES.openPage]: 'Abrir a página do alerta: ',
  },
  nl: {
    [PHRASES.unknownCause]: 'De oorzaak is niet bekend.',
    [PHRASES.critical]: 'Het alarm is kritiek.',
    [PHRASES.harmless]: 'Het alarm is niet kritiek, en geen controle toont nu schade.',
    [PHRASES.firing]: 'nog actief',
    [PHRASES.openRunbook]: 'Open het runbook: ',
    [PHRASES.openPage]: 'Open de pagina van het alarm: ',
  },
  pl: {
    [PHRASES.unknownCause]: 'Przyczyna nie jest znana.',
    [PHRASES.critical]: 'Alert jest krytyczny.',
    [PHRASES.harmless]: 'Alert nie jest krytyczny i żadne sprawdzenie nie wykazuje teraz szkód.',
    [PHRASES.firing]: 'nadal aktywny',
    [PHRASES.openRunbook]: 'Otwórz runbook: ',
    [PHRASES.openPage]: 'Otwórz stronę alertu: ',
  },
  ru: {
    [PHRASES.unknownCause]: 'Причина неизвестна.',
    [PHRASES.critical]: 'Уровень — критический.',
    [PHRASES.harmless]: 'Уровень не критический, и проверки сейчас не показывают ущерба.',
    [PHRASES.firing]: 'ещё активно',
    [PHRASES.openRunbook]: 'Откройте runbook: ',
    [PHRASES.openPage]: 'Откройте страницу алерта: ',
  },
  zh: {
    [PHRASES.unknownCause]: '原因不明。',
    [PHRASES.critical]: '告警级别为严重。',
    [PHRASES.harmless]: '告警级别不是严重，且目前的查询均未显示损害。',
    [PHRASES.firing]: '仍在告警',
    [PHRASES.openRunbook]: '打开运行手册：',
    [PHRASES.openPage]: '打开告警页面：',
  },
  ja: {
    [PHRASES.unknownCause]: '原因は不明です。',
    [PHRASES.critical]: 'アラートは重大です。',
    [PHRASES.harmless]: 'アラートは重大ではなく、現在の確認では被害は見られません。',
    [PHRASES.firing]: '継続中',
    [PHRASES.openRunbook]: 'ランブックを開く：',
    [PHRASES.openPage]: 'アラートのページを開く：',
  },
  hi: {
    [PHRASES.unknownCause]: 'कारण ज्ञात नहीं है।',
    [PHRASES.critical]: 'अलर्ट गंभीर है।',
    [PHRASES.harmless]: 'अलर्ट गंभीर नहीं है, और अभी कोई जाँच नुकसान नहीं दिखाती।',
    [PHRASES.firing]: 'अभी भी जारी',
    [PHRASES.openRunbook]: 'रनबुक खोलें: ',
    [PHRASES.openPage]: 'अलर्ट का पेज खोलें: ',
  },
};

/** Returns the text with the fixed phrases of rules in a language. @param code BCP 47, without region. */
export function translatePhrases(text: string, code: string): string {
  return Object.entries(TRANSLATIONS[code] ?? TRANSLATIONS['en'] ?? {}).reduce(
    (translated, [phrase, own]) => translated.replace(phrase, () => own),
    text,
  );
}
