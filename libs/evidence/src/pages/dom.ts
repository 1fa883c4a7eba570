/** The part of the DOM that the page reader uses. The libraries of this project are compiled without the types of browsers. */
export interface PageNode {
  readonly nodeType: number;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  readonly parentNode: PageNode | null;
}

export interface PageElement extends PageNode {
  readonly tagName: string;
  readonly children: Iterable<PageElement>;
  hasAttribute(name: string): boolean;
  getAttribute(name: string): string | null;
}

export interface PageDocument extends PageNode {
  readonly documentElement: PageElement;
  readonly body: PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
