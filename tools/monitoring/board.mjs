// The Grafana board. `npm run board` writes it to k8s/monitoring/grafana/casefile.json.
import { ReduceDataOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as Stat } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as Timeseries } from '@grafana/grafana-foundation-sdk/timeseries';
import { rows } from './panels.mjs';

/** The user chooses the Prometheus by a variable, so that the board works in every Grafana. */
const SOURCE = { type: 'prometheus', uid: '${ds}' };
const KINDS = { stat: Stat, timeseries: Timeseries };

/** Returns the board as JSON, as Grafana imports it. */
export function boardJson() {
  const board = new DashboardBuilder('Casefile')
    .uid('casefile')
    .description('Verdicts and their quality, the pipeline and its queues, models and their cost.')
    .tags(['casefile'])
    .timezone('browser')
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: 'now-6h', to: 'now' })
    .refresh('30s')
    .withVariable(new DatasourceVariableBuilder('ds').label('Prometheus').type('prometheus'));
  for (const { title, panels } of rows) {
    board.withRow(new RowBuilder(title));
    for (const panel of panels) board.withPanel(panelBuilder(panel));
  }
  return `${JSON.stringify(board.build(), null, 2)}\n`;
}

function panelBuilder({ kind = 'timeseries', title, description, unit = 'short', width, queries }) {
  const panel = new KINDS[kind]()
    .title(title)
    .description(description)
    .datasource(SOURCE)
    .unit(unit)
    .min(0)
    .span(width ?? (kind === 'stat' ? 4 : 8))
    .height(kind === 'stat' ? 4 : 8);
  if (kind === 'stat') panel.reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']));
  queries.forEach(({ expr, legend }, i) => {
    const query = new DataqueryBuilder()
      .expr(expr)
      .legendFormat(legend)
      .refId(String.fromCharCode(65 + i));
    panel.withTarget(kind === 'stat' ? query.instant() : query.range());
  });
  return panel;
}
