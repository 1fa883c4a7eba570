/** Returns the value of a colour of the theme. A canvas cannot resolve custom properties, so the browser computes it. */
export function elementColour(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
