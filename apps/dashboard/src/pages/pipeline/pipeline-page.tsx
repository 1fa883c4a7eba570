export default function PipelinePage() {
  return <h1>Pipeline</h1>;
}
