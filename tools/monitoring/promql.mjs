import { parser } from '@prometheus-io/lezer-promql';

/** Time ranges that Grafana inserts into a query. */
const GRAFANA_RANGES = /\$__(?:rate_interval|range|interval)/g;

/**
 * Returns the series that a PromQL query reads: `{ name, labels }` for each selector, with the labels that the
 * selector compares, and those that the expressions around it group or match by.
 * @throws Error with the position of a syntax error.
 */
export function readQuery(expr) {
  const text = expr.replaceAll(GRAFANA_RANGES, '5m');
  const [selectors, groups] = [[], []];
  parser.parse(text).iterate({
    enter: ({ node, type, name }) => {
      if (type.isError) throw new Error(`not PromQL at character ${node.from}: ${expr}`);
      if (name === 'VectorSelector') selectors.push(node);
      if (name === 'GroupingLabels') groups.push({ owner: ownerOf(node), labels: labelNames(node, text) });
    },
  });
  return selectors.map((node) => {
    const name = node.getChild('Identifier');
    const around = groups.filter(({ owner }) => owner.from <= node.from && node.to <= owner.to);
    return {
      name: name === null ? '' : text.slice(name.from, name.to),
      labels: [...labelNames(node, text), ...around.flatMap(({ labels }) => labels)],
    };
  });
}

// Labels of `sum by (...)` concern its argument, those of `a / on (...) b` both sides.
function ownerOf(node) {
  let owner = node;
  while (!['AggregateExpr', 'BinaryExpr'].includes(owner.name)) owner = owner.parent;
  return owner;
}

function labelNames(node, text) {
  const names = [];
  node.cursor().iterate(({ name, from, to }) => {
    if (name === 'LabelName') names.push(text.slice(from, to));
  });
  return names;
}
