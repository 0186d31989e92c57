// What is wider than its place says so: while there is more to the right, a line above says it and `data-more` lets app.css
// fade that edge. To the left there is only what the reader has come from. Those who do not see it scroll by keyboard or
// are read everything, so the line is not for them.
// Scroll.svelte uses it.
export function scroll_hint(element: HTMLElement): () => void {
  const line = document.createElement('p');
  line.className = 'scroll-hint';
  line.ariaHidden = 'true';
  line.textContent = 'scroll for more →';
  const look = () => {
    const room = element.scrollWidth - element.clientWidth;
    element.toggleAttribute('data-more', room - element.scrollLeft > 2);
    if (room <= 2) line.remove();
    else if (!line.isConnected) element.before(line);
  };
  const observer = new ResizeObserver(look);
  observer.observe(element);
  if (element.firstElementChild) observer.observe(element.firstElementChild);
  element.addEventListener('scroll', look, { passive: true });
  return () => {
    observer.disconnect();
    element.removeEventListener('scroll', look);
    line.remove();
  };
}
