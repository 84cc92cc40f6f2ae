// Runs in the page before its own scripts: reports when an answer is in hand and when the last of it has been painted.
(() => {
  const quietMs = 600;
  let answeredMs = 0;
  let changedMs = 0;
  let paintedMs = 0;
  let isFrameDue = false;
  let isChartDrawn = false;
  let chartMs = 0;

  // The message arrives when the frame that shows the change has been handed over.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    paintedMs = performance.now();
    if (isChartDrawn && chartMs === 0) chartMs = paintedMs;
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

  /** Resolves when the next frame has been handed over. */
  globalThis.painted = () =>
    new Promise((done) => {
      requestAnimationFrame(() => {
        const { port1: arrival, port2: departure } = new MessageChannel();
        arrival.onmessage = () => done();
        departure.postMessage(0);
      });
    });

  /** When the first chart had been painted, since the navigation began. */
  globalThis.firstChartMs = async () => {
    while (chartMs === 0) await globalThis.painted();
    return chartMs;
  };

  // What tiles show, and nothing else: a button that stops spinning is no part of the answer.
  const tile = '[data-tile]';
  const holdsTile = (node) => node instanceof Element && (node.matches(tile) || node.querySelector(tile) !== null);
  function isOfTile({ target, addedNodes }) {
    const element = target instanceof Element ? target : target.parentElement;
    return element?.closest(tile) || [...addedNodes].some(holdsTile);
  }
  new MutationObserver((records) => {
    if (records.some(isOfTile)) changed();
  }).observe(document, { childList: true, characterData: true, subtree: true });
  for (const name of ['stroke', 'fill', 'fillRect', 'drawImage']) {
    const draw = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...parts) {
      isChartDrawn ||= this.canvas.isConnected;
      changed();
      return draw.apply(this, parts);
    };
  }

  // Reading the answer here and making another one of it would cost the page as much as the answer itself does.
  for (const name of ['text', 'json', 'arrayBuffer']) {
    const read = Response.prototype[name];
    Response.prototype[name] = async function () {
      const content = await read.call(this);
      if (this.url.endsWith('/charts/tiles')) answeredMs = performance.now();
      return content;
    };
  }

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
