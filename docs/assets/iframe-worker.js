// Pages that are opened from a disk may start no worker. The search of the site runs in a hidden frame there.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      this.frame.srcdoc = "<!doctype html><title>search</title>";
      this.ready = new Promise((done) => { this.frame.onload = done; }).then(() => this.start(address));
      document.body.append(this.frame);
    }

    start(address) {
      const inside = this.frame.contentWindow;
      const load = (url) => new Promise((done, failed) => {
        const script = inside.document.createElement("script");
        Object.assign(script, { src: url, onload: done, onerror: failed });
        inside.document.head.append(script);
      });
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...urls) => urls.reduce((before, url) => before.then(() => load(url)), Promise.resolve());
      return load(address);
    }

    postMessage(data) {
      const inside = () => this.frame.contentWindow;
      this.ready.then(() => inside().dispatchEvent(new (inside().MessageEvent)("message", { data })));
    }

    terminate() { this.frame.remove(); }
  };
}
