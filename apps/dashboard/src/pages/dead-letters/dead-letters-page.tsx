export default function DeadLettersPage() {
  return <h1>DeadLetters</h1>;
}
