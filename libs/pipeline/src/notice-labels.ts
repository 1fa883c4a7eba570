/** Labels of the lines of a notice. */
export interface NoticeLabels {
  whom: string;
  since: string;
  why: string;
  quote: string;
  first: string;
}

/** Labels by language (BCP 47, without region). */
export const NOTICE_LABELS: Readonly<Record<string, NoticeLabels>> = {
  en: { whom: 'Affected', since: 'Since', why: 'Why', quote: 'Source', first: 'First' },
  de: { whom: 'Betroffen', since: 'Seit', why: 'Grund', quote: 'Beleg', first: 'Zuerst' },
  fr: { whom: 'Touché', since: 'Depuis', why: 'Cause', quote: 'Source', first: "D'abord" },
  es: { whom: 'Afectado', since: 'Desde', why: 'Motivo', quote: 'Fuente', first: 'Primero' },
  it: { whom: 'Colpito', since: 'Dal', why: 'Motivo', quote: 'Fonte', first: 'Per prima cosa' },
  pt: { whom: 'Afetado', since: 'Desde', why: 'Motivo', quote: 'Fonte', first: 'Primeiro' },
  nl: { whom: 'Getroffen', since: 'Sinds', why: 'Reden', quote: 'Bron', first: 'Eerst' },
  pl: { whom: 'Dotyczy', since: 'Od', why: 'Powód', quote: 'Źródło', first: 'Najpierw' },
  ru: { whom: 'Затронуто', since: 'С', why: 'Причина', quote: 'Источник', first: 'Сначала' },
  zh: { whom: '影响', since: '开始时间', why: '原因', quote: '依据', first: '首先' },
  ja: { whom: '影響', since: '開始', why: '理由', quote: '根拠', first: 'まず' },
  hi: { whom: 'प्रभावित', since: 'कब से', why: 'कारण', quote: 'स्रोत', first: 'पहले' },
};
