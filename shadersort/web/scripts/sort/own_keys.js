// The page that sorts a reader's own keys.

const sortPage = new SortPage(document.querySelector("main"), DATA);
