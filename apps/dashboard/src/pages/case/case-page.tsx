export default function CasePage({ caseId }: { caseId: string }) {
  return <h1>{caseId}</h1>;
}
