import { eventDetails } from './event-details.ts';
import { groupText, type Message } from './message.ts';
import { shorten } from './shorten.ts';

/** PagerDuty rejects a longer summary. */
const summaryMax = 1024;
const bodyMax = 20_000;

/**
 * An event of PagerDuty's Events API v2. The incident key is the event id: trigger and resolve share it, over renames
 * and restarts too (U-49). https://developer.pagerduty.com/docs/send-alert-event
 */
export function pagerDutyPayload(message: Message, routingKey: string) {
  const { title, body, link, state, eventId, severity, notification } = message;
  return {
    routing_key: routingKey,
    event_action: state === 'OK' ? 'resolve' : 'trigger',
    dedup_key: eventId,
    client: 'Signalbox',
    client_url: link,
    links: [{ href: link, text: 'Open in Signalbox' }],
    payload: {
      summary: shorten(title, summaryMax),
      source: groupText(notification) || message.watched,
      severity,
      timestamp: new Date(notification.window.endMs).toISOString(),
      component: message.watched,
      custom_details: { ...eventDetails(message), body: shorten(body, bodyMax) },
    },
  };
}
