import { XmlElement } from '@rgrove/parse-xml';

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => (child instanceof XmlElement && child.name === name ? [child] : []));
}

/** Of the first child of this name; empty without one. */
export function textIn(element: XmlElement, name: string): string {
  return childrenOf(element, name)[0]?.text ?? '';
}
