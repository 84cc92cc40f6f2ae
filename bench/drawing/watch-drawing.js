// Runs in the page before its own scripts: tells when an answer is in hand and when the last of it has been painted.
(() => {
  const quietMs = 600;
  let answeredMs = 0;
  let changedMs = 0;
  let paintedMs = 0;
  let isFrameDue = false;

  // The message arrives when the frame that shows the change has been handed over.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    paintedMs = performance.now();
  };
  function changed() {
    changedMs = performance.now();
    if (isFrameDue) return;
    isFrameDue = true;
    requestAnimationFrame(() => {
      isFrameDue = false;
      port2.postMessage(0);
    });
  }

  new MutationObserver(changed).observe(document, { childList: true, subtree: true });
  for (const name of ['stroke', 'fill', 'fillRect']) {
    const draw = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...parts) {
      changed();
      return draw.apply(this, parts);
    };
  }

  const { fetch } = globalThis;
  globalThis.fetch = async (...request) => {
    const answer = await fetch(...request);
    if (!answer.url.endsWith('/charts/tiles')) return answer;
    const text = await answer.text();
    answeredMs = performance.now();
    return new Response(text, answer);
  };

  /** Waits until an answer has come, has changed something, and nothing has changed since a while; answers the milliseconds between. */
  globalThis.drawn = async () => {
    const isDrawn = () => answeredMs > 0 && changedMs > answeredMs && paintedMs >= changedMs;
    const isOver = () => isDrawn() && performance.now() - changedMs > quietMs;
    while (!isOver()) await new Promise((done) => setTimeout(done, quietMs / 2));
    const tookMs = paintedMs - answeredMs;
    answeredMs = 0;
    return tookMs;
  };
})();
