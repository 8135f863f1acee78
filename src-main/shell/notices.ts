import { Notification } from 'electron';

/** Notifications that are still shown: one without a reference may be collected with its click. */
const shown = new Set<Notification>();

/** Shows a notification of the system; a click opens the place that it is about. */
export function notify(notice: { title: string; text: string; open: () => void }): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title: notice.title, body: notice.text });
  shown.add(notification);
  notification.once('click', () => {
    shown.delete(notification);
    notice.open();
  });
  notification.once('close', () => shown.delete(notification));
  notification.show();
}
