import { usePipeline } from '../../api/queries.js';
import { Answer } from '../../ui/answer.js';
import { Panel } from '../../ui/panel.js';
import '../pipeline/pipeline.css';
import { Circuits } from './circuits.js';
import { Budgets, ModelSpendTable } from './spend.js';

/** Providers with their circuits, budgets, and the calls of each model. */
export function ProviderPanels() {
  const pipeline = usePipeline();
  return (
    <Answer of={pipeline} what="The providers" lines={4}>
      {({ providers, models, probes, budgets }) => (
        <div className="pipeline-grid provider-panels">
          <Panel id="providers" title="Providers and budgets">
            <Circuits providers={providers} models={models} probes={probes} />
            <Budgets budgets={budgets} />
          </Panel>
          <Panel title="Models" note="last 24 hours">
            <ModelSpendTable models={models} />
          </Panel>
        </div>
      )}
    </Answer>
  );
}
