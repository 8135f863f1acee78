// The view of a notebook: the app in a frame, which reports its selection. An anywidget module (https://anywidget.dev/en/afm).

/** Where the app's address takes the origin of the page around it. */
const PARAMETER = 'embed';

function render({ model, el }) {
  const frame = document.createElement('iframe');
  const address = new URL(model.get('url'));
  address.searchParams.set(PARAMETER, window.location.origin);
  frame.src = address.href;
  frame.title = 'Vitrine';
  frame.style.cssText = `width: 100%; height: ${model.get('height')}px; border: 0`;
  const receive = ({ source, origin, data }) => {
    // Other frames of the notebook may send messages, too.
    if (source !== frame.contentWindow || origin !== address.origin) return;
    if (data?.source !== 'vitrine' || data.type !== 'selection') return;
    model.set('selection', data.media_selection);
    model.set('count', data.count);
    model.save_changes();
  };
  window.addEventListener('message', receive);
  el.append(frame);
  return () => window.removeEventListener('message', receive);
}

export default { render };
