// Completes what the theme builds when a page is opened, for screen readers and for the keyboard.
function complete() {
  for (const [at, bar] of document.querySelectorAll("nav.md-code__nav").entries()) {
    if (!bar.ariaLabel) bar.ariaLabel = `code block ${at + 1}`;
  }
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .mermaid")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", complete);
complete();
