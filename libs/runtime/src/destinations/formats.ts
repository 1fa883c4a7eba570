import { isObject, PAGE_KINDS, type DeliveryKind, type DestinationType } from '@casefile/contracts';
import { Webhook } from 'standardwebhooks';
import type { ConfiguredDestination } from '../config/destination-settings.js';
import { fillTemplate } from './fill-template.js';
import {
  EVENT_TYPES,
  templateFields,
  type OutboundMessage,
  type OutboundRequest,
} from './outbound-message.js';

/** A format of messages. */
interface OutboundFormat {
  /** @param thread Thread of the case at the receiver; null: none. @param now Milliseconds since the epoch. */
  request(
    destination: ConfiguredDestination,
    message: OutboundMessage,
    thread: string | null,
    now: number,
  ): OutboundRequest;
  /** Returns why an answer of status 2xx is a failure, or the thread to continue; undefined: neither. */
  read?(
    destination: ConfiguredDestination,
    text: string,
  ): { problem: string } | { thread: string } | undefined;
  /** Whether the receiver gets a separate message when the alert is resolved or the review has ended. */
  reportsResolved: boolean;
}

const JSON_TYPE = 'application/json';

/** Standard Webhooks, or CloudEvents in structured mode with the same signature headers. */
const webhook: OutboundFormat = {
  reportsResolved: false,
  request: ({ url, secret, format, headers = {} }, message, _thread, now) => {
    const isEvent = format === 'cloudevents';
    const body = JSON.stringify(isEvent ? cloudEvent(message) : eventIn(message));
    const signed = secret === undefined ? {} : signatureHeaders(secret, message.deliveryId, body, now);
    const contentType = isEvent ? 'application/cloudevents+json' : JSON_TYPE;
    return { url, body, headers: { ...headers, 'content-type': contentType, ...signed } };
  },
};

function signatureHeaders(secret: string, id: string, body: string, now: number): Record<string, string> {
  const at = new Date(now);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

function eventIn(message: OutboundMessage): object {
  const { kind, createdAt } = message;
  return { type: EVENT_TYPES[kind], timestamp: createdAt, data: dataOf(message) };
}

function dataOf(message: OutboundMessage): object {
  const { deliveryId, verdict, condition, review, text, title, link, acknowledgeLink, auditHead } = message;
  return {
    ...verdict,
    deliveryId,
    title,
    text,
    link,
    ...(acknowledgeLink === null ? {} : { acknowledgeLink }),
    ...(condition === null ? {} : { condition }),
    ...(review === null ? {} : { review }),
    ...(auditHead === null ? {} : { auditHead }),
  };
}

const linkWords = ({ caseId }: OutboundMessage): string =>
  caseId === null ? 'Open Casefile' : 'Open the case';

function cloudEvent(message: OutboundMessage): object {
  const { deliveryId, kind, createdAt } = message;
  const subject = message.caseId ?? message.condition?.id;
  return {
    specversion: '1.0',
    id: deliveryId,
    source: '/casefile',
    type: `casefile.${EVENT_TYPES[kind]}`,
    time: createdAt,
    ...(subject === undefined ? {} : { subject }),
    datacontenttype: JSON_TYPE,
    data: dataOf(message),
  };
}

const MOST_SLACK_TITLE = 150;

/** Slack: plain text cannot mention anyone or hide a link. With a channel, a case has one thread. */
const slack: OutboundFormat = {
  reportsResolved: true,
  request: ({ url, secret, channel }, message, thread) => {
    const { title, text } = message;
    const body = {
      ...(channel === undefined ? {} : { channel }),
      ...(thread === null ? {} : { thread_ts: thread }),
      // This text appears in notifications, where Slack interprets markup.
      text: slackEscaped(title),
      unfurl_links: false,
      blocks: [
        {
          type: 'header',
          text: { type: 'plain_text', text: [...title].slice(0, MOST_SLACK_TITLE).join('') },
        },
        { type: 'section', text: { type: 'plain_text', text: withoutTitle(text), emoji: false } },
        {
          type: 'actions',
          elements: slackLinks(message).map(([words, url]) => ({
            type: 'button',
            text: { type: 'plain_text', text: words },
            url,
          })),
        },
      ],
    };
    const token: Record<string, string> =
      channel === undefined || secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    return {
      url,
      headers: { 'content-type': `${JSON_TYPE}; charset=utf-8`, ...token },
      body: JSON.stringify(body),
    };
  },
  read: ({ channel }, text) => {
    // An incoming webhook answers with the word ok, and names no message to reply to.
    if (channel === undefined) return undefined;
    const answer = jsonIn(text);
    if (!isObject(answer) || answer['ok'] !== true)
      return {
        problem: `Slack refused the message: ${String(isObject(answer) ? answer['error'] : 'no JSON')}`,
      };
    return typeof answer['ts'] === 'string' ? { thread: answer['ts'] } : undefined;
  },
};

function slackLinks(message: OutboundMessage): [string, string][] {
  const { link, acknowledgeLink } = message;
  return [
    [linkWords(message), link],
    ...(acknowledgeLink === null ? [] : [['Acknowledge', acknowledgeLink] as [string, string]]),
  ];
}

// The block above has the title as its header. Without a second line, the text equals the title.
function withoutTitle(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(end + 1);
}

/** Escapes the three characters by which Slack recognises mentions and links. */
export function slackEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const SEVERITIES: Readonly<Record<string, string>> = {
  critical: 'critical',
  error: 'error',
  warning: 'warning',
  info: 'info',
};
const MOST_SUMMARY = 1_024;

// The link opens a page with a button. Reading it acts on nothing, because chats and mail scanners open links.
function acknowledgeLinks({
  kind,
  link,
  acknowledgeLink,
}: OutboundMessage): { href: string; text: string }[] {
  if (!PAGE_KINDS.includes(kind)) return [];
  return [{ href: acknowledgeLink ?? `${link}?acknowledge=1`, text: 'Acknowledge' }];
}

function alertKey({ caseId, condition, deliveryId }: OutboundMessage): string {
  if (caseId !== null) return caseId;
  return condition === null ? `casefile-test-${deliveryId}` : `casefile-condition-${condition.id}`;
}

const RESOLVING: readonly DeliveryKind[] = ['resolved', 'review-answered', 'condition-closed'];

/**
 * PagerDuty Events API v2. A case or a condition is one alert in PagerDuty. A resolved alert, a dismissing verdict, the
 * end of the review or the end of the condition resolves it.
 */
const pagerduty: OutboundFormat = {
  reportsResolved: true,
  request: ({ url, secret }, message) => {
    const { kind, deliveryId, verdict, condition, title, text, link, severity, createdAt } = message;
    const disposition = verdict?.verdict.disposition;
    const resolves = RESOLVING.includes(kind) || disposition === 'dismiss';
    const payload = {
      summary: [...title].slice(0, MOST_SUMMARY).join(''),
      source: verdict?.playbook ?? 'casefile',
      severity:
        kind === 'test' ? 'info' : (SEVERITIES[severity] ?? (disposition === 'act' ? 'error' : 'warning')),
      timestamp: verdict?.verdict.decidedAt ?? createdAt,
      custom_details: {
        text,
        deliveryId,
        ...(verdict === null ? {} : { confidence: verdict.verdict.confidence }),
        ...(condition === null ? {} : { condition }),
      },
    };
    const body = {
      routing_key: secret,
      event_action: kind === 'acknowledged' ? 'acknowledge' : resolves ? 'resolve' : 'trigger',
      dedup_key: alertKey(message),
      client: 'Casefile',
      client_url: link,
      links: [{ href: link, text: linkWords(message) }, ...acknowledgeLinks(message)],
      payload,
    };
    return { url, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(body) };
  },
};

/** Any receiver for which the operator writes the body, such as Microsoft Teams or a mail service. */
const template: OutboundFormat = {
  reportsResolved: false,
  request: ({ url, secret, headers = {}, body = '', contentType = JSON_TYPE }, message, _thread, now) => {
    const text = fillTemplate(body, contentType, templateFields(message));
    const signed = secret === undefined ? {} : signatureHeaders(secret, message.deliveryId, text, now);
    return { url, body: text, headers: { ...headers, 'content-type': contentType, ...signed } };
  },
};

/** Formats by type of destination. */
export const OUTBOUND_FORMATS: Readonly<Record<DestinationType, OutboundFormat>> = {
  webhook,
  slack,
  pagerduty,
  template,
};
