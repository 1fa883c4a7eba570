// Small changes of one place in a module: another comparison, number, boolean, word or condition.
import { parseSync } from 'rolldown/utils';

const OPPOSITE = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
};
const NO_CODE = /^(?:Import|ExportAll|TS)/;

/** Returns all single changes of a module's behaviour: `{ line, what, text }`, `text` of the whole module. */
export function mutations(file, text) {
  const found = [];
  const change = (start, end, next) => {
    const line = text.slice(0, start).split('\n').length;
    found.push({
      line,
      what: `${text.slice(start, end)} -> ${next}`,
      text: text.slice(0, start) + next + text.slice(end),
    });
  };
  const visit = (node) => {
    if (NO_CODE.test(node.type) && !/^TS(?:As|NonNull|Satisfies)Expression$/.test(node.type)) return;
    if (/^(?:Binary|Logical)Expression$/.test(node.type) && node.operator in OPPOSITE) {
      const at = text.indexOf(node.operator, node.left.end);
      if (at < node.right.start) change(at, at + node.operator.length, OPPOSITE[node.operator]);
    }
    if (node.type === 'Literal' && typeof node.value === 'number')
      change(node.start, node.end, String(node.value + 1));
    if (node.type === 'Literal' && typeof node.value === 'boolean')
      change(node.start, node.end, String(!node.value));
    if (node.type === 'IfStatement')
      change(node.test.start, node.test.end, `!(${text.slice(node.test.start, node.test.end)})`);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child?.type === 'string') visit(child);
  };
  visit(parseSync(file, text).program);
  return found;
}
