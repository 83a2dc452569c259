"""The reproduction room tells what happened when somebody tried to get a published result again."""
