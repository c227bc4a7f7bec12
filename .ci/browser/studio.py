"""The studio in a browser. Each test opens a studio of its own, on the sample data of a schema."""

import http.client
import json
import os
import re
import subprocess
import sys
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from driver import Browser

PICTURES = "target/studio"
HOSTILE = "</script><img src=x onerror=\"document.body.dataset.hit=1\">&lt;b&gt;\u202e'\"`${1}"


class Studio:
    """A studio on sample data, and another client of it."""

    def __init__(self, schema, *options):
        self.process = subprocess.Popen(["target/debug/studio", schema, *options],
                                        stdout=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.address = urllib.parse.urlsplit(self.url)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def post(self, path, body):
        connection = http.client.HTTPConnection(self.address.netloc, timeout=60)
        connection.request("POST", f"{self.address.path}api/{path}", json.dumps(body),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        found = json.load(answer)
        assert answer.status == 200, found
        return found

    def read(self, pattern, **arguments):
        arguments = [{"field": field, "is": text} for field, text in arguments.items()]
        return self.post("read", {"pattern": pattern, "arguments": arguments, "limit": 50})["items"]

    def item(self, pattern, **arguments):
        return self.post("item", {"id": self.read(pattern, **arguments)[0]["id"]})


def booking_is_read_by_access_pattern():
    with Studio("booking") as studio, Browser() as page:
        page.open(studio.url)
        page.find("h1", "studio-booking-users")
        page.find(".state", "Read-only")
        page.click("[data-name='pattern:Booking::by_status']")
        page.choose("#field-status", "pending")
        page.choose("#field-start_time-kind", "range")
        page.type("#field-start_time-from", "2025-06")
        page.click("button[type=submit]", "Run")
        page.find(".facts", "items")
        assert page.count(".row.item") > 10
        assert "STATUS#pending" in page.text(".request")
        assert "Booking::by_status(BookingStatus::Pending)" in page.text(".rust")
        page.picture(f"{PICTURES}/pattern.png")
        page.type("#field-start_time-from", "June")
        page.click("button[type=submit]", "Run")
        page.find(".problem", "`June` is not a time, such as 2025-06-01T09:00:00Z")
        page.picture(f"{PICTURES}/wrong-argument.png")


def pages_turn_in_both_directions():
    with Studio("booking") as studio, Browser() as page:
        page.open(studio.url)
        page.click("[data-name='pattern:Booking::by_status']")
        page.choose("#field-status", "approved")
        page.choose("#limit", "20")
        page.click("button[type=submit]", "Run")
        page.find(".facts", "20 items")
        first = page.text(".row.item")
        page.click("button", "Next")
        page.run("return new Promise((done) => setTimeout(done, 500))")
        assert page.text(".row.item") != first
        page.click("button:not([disabled])", "Previous")
        page.run("return new Promise((done) => setTimeout(done, 500))")
        assert page.text(".row.item") == first


def an_item_shows_keys_relations_and_json():
    with Studio("booking") as studio, Browser() as page:
        page.open(studio.url)
        page.click("[data-name='pattern:Booking::by_status']")
        page.choose("#field-status", "pending")
        page.click("button[type=submit]", "Run")
        page.click(".row.item")
        page.find("#side .key-text", "BOOKING#")
        page.picture(f"{PICTURES}/item.png")
        page.click("[role=tab]", "Keys")
        page.find("#side .place", "GSI3")
        page.picture(f"{PICTURES}/keys.png")
        page.click("[role=tab]", "JSON")
        page.find("#side pre", '"S":')
        page.click("[role=tab]", "Relations")
        page.click("#side .link", "User::get")
        page.find("h1", "User::get")
        page.find(".row.item")
        assert page.count("#side button.danger") == 0


def shogi_shows_item_collections():
    with Studio("shogi") as studio, Browser() as page:
        page.open(studio.url)
        page.click("button", "Browse all items")
        page.find(".facts", "read units")
        page.click("label", "Item collections")
        page.find(".row.group")
        page.picture(f"{PICTURES}/collections.png")
        page.click(".row.item")
        page.click("[role=tab]", "Keys")
        page.click("#side button", "Open the partition")
        page.find("p", "A partition of the table")


def the_overview_counts_what_is_in_a_table():
    with Studio("exam") as studio, Browser() as page:
        page.open(studio.url)
        page.click("button", "Sample the table")
        page.find(".tile", "partitions")
        page.find(".figures", "AnswerHistory")
        assert page.text("[data-count=User]").isdigit()
        page.picture(f"{PICTURES}/overview.png")


def everything_works_with_the_keyboard():
    with Studio("exam") as studio, Browser() as page:
        page.open(studio.url)
        page.click("button", "Browse all items")
        page.find(".row.item")
        page.run("document.querySelector('.grid').focus()")
        page.press("down")
        page.press("down")
        page.press("enter")
        page.find("#side h2")
        page.press("escape")
        assert page.run("return document.getElementById('side').hidden")
        assert page.run("return document.activeElement.classList.contains('grid')")


def an_edit_is_reviewed_and_saved():
    with Studio("booking", "--write") as studio, Browser() as page:
        page.open(studio.url)
        page.click("[data-name='table:studio-booking-options']")
        page.click("button", "Browse all items")
        page.click(".row.item")
        page.click("#side button", "Edit")
        page.find("#side h2", "Edit OptionService")
        page.type("#edit-unit_price", "4321")
        page.click("#side button", "Review the changes")
        page.find(".added", "4321")
        page.picture(f"{PICTURES}/edit.png")
        page.click("#side button", "Save 1 change")
        page.find("#status", "Saved")
        page.find("#side td", "4321")
        service = studio.item("OptionService::get", option_id="opt1")
        assert service["attributes"]["unitPrice"] == {"N": "4321"}


def a_conflict_with_another_client_is_shown():
    with Studio("booking", "--write") as studio, Browser() as page:
        page.open(studio.url)
        page.click("[data-name='table:studio-booking-options']")
        page.click("button", "Browse all items")
        page.click(".row.item")
        page.click("#side button", "Edit")
        page.type("#edit-unit_price", "1")
        row = studio.post("scan", {"table": "studio-booking-options"})["items"][0]
        item = studio.post("item", {"id": row["id"]})
        studio.post("update", {"id": item["id"], "fingerprint": item["fingerprint"],
                               "changes": {"unitPrice": "77"}})
        page.click("#side button", "Review the changes")
        page.click("#side button", "Save")
        page.find(".problem", "the item changed since you opened it")
        page.picture(f"{PICTURES}/conflict.png")
        page.click("#side button", "Reload the item")
        page.find("#side td", "77")


def an_item_is_created_duplicated_and_deleted():
    with Studio("exam", "--write") as studio, Browser() as page:
        page.open(studio.url)
        page.click("[aria-label='New User']")
        page.type("#edit-user_id", "studio-1")
        page.type("#edit-email", "studio@example.com")
        page.type("#edit-display_name", "山田 花子")
        page.click("#side button[type=submit]", "Create")
        page.find("#side .key-text", "USER#studio-1")
        page.picture(f"{PICTURES}/created.png")
        page.click("#side button", "Duplicate")
        page.click("#side button[type=submit]", "Create")
        page.find("#side .problem", "Conflict")
        page.type("#edit-user_id", "studio-2")
        page.click("#side button[type=submit]", "Create")
        page.find("#side .key-text", "USER#studio-2")
        page.click("#side button.danger", "Delete")
        page.find("#side h2", "Delete this User?")
        page.click("#side button.danger", "Delete")
        page.find("#status", "Deleted")
        assert studio.read("User::get", user_id="studio-2") == []
        assert len(studio.read("User::get", user_id="studio-1")) == 1


def hostile_text_stays_text():
    with Studio("exam", "--write") as studio, Browser() as page:
        fields = {"questionId": HOSTILE, "examType": "FE", "category": HOSTILE,
                  "subCategory": HOSTILE, "difficulty": "easy", "text": HOSTILE,
                  "explanation": "長い説明。" * 20_000, "createdAt": "2025-06-01T00:00:00Z"}
        fields = {name: json.dumps(text) for name, text in fields.items()}
        fields |= {"choices": json.dumps([HOSTILE] * 4), "answerIndex": "1"}
        studio.post("create", {"entity": "Question", "fields": fields})
        page.open(studio.url)
        page.click("[data-name='pattern:Question::get']")
        page.type("#field-question_id", HOSTILE)
        page.click("button[type=submit]", "Get")
        page.click(".row.item")
        page.find("#side .attributes", "</script>")
        page.picture(f"{PICTURES}/hostile.png")
        for tab in ["Keys", "JSON", "Relations"]:
            page.click("[role=tab]", tab)
        page.click("[role=tab]", "Keys")
        page.click("#side button", "Open the partition")
        page.find("h1", "</script>")
        page.click(".row.item")
        page.click("#side button", "Edit")
        page.find("#edit-text")
        assert page.run("return document.body.dataset.hit ?? null") is None
        assert page.count("main img, #side img, main b.x, script:not([src])") == 0


def ten_thousand_items_scroll_with_few_elements():
    count = int(os.environ.get("STUDIO_ITEMS", "10000"))
    with Studio("exam", "--write") as studio, Browser() as page:
        def create(number):
            fields = {"userId": "many", "questionId": f"Q-{number:06}", "examType": "FE",
                      "answeredAt": "2025-06-01T00:00:00Z"}
            fields = {name: json.dumps(text) for name, text in fields.items()}
            fields |= {"selectedIndex": "1", "isCorrect": "true"}
            studio.post("create", {"entity": "AnswerHistory", "fields": fields})
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(create, range(count)))
        first = studio.read("AnswerHistory::query", user_id="many")[0]
        item = studio.post("item", {"id": first["id"]})
        assert item["keys"][0]["pk"] == "USER#many"
        page.open(studio.url)
        page.click("[data-name='pattern:AnswerHistory::query']")
        page.type("#field-user_id", "many")
        page.click("button[type=submit]", "Run")
        page.click(".row.item")
        page.click("[role=tab]", "Keys")
        page.click("#side button", "Open the partition")
        page.click("button", "Load 10,000 more")
        page.find(".facts", f"{count:,} items", seconds=120)
        assert page.count(".row.item") < 120
        page.run("const grid = document.querySelector('.grid'); grid.scrollTop = grid.scrollHeight")
        page.find(".row.item", f"Q-{count - 1:06}")
        assert page.count(".row.item") < 120
        page.picture(f"{PICTURES}/many.png")


def the_page_asks_nobody_else():
    with Studio("q") as studio, Browser() as page:
        page.open(studio.url)
        page.find("h1")
        names = page.run("return performance.getEntriesByType('resource').map((it) => it.name)")
        assert names and all(name.startswith(studio.url) for name in names), names
        blocked = page.run("""
            return Promise.all(['http://127.0.0.1:1/', 'http://example.com/'].map(
              (url) => fetch(url).then(() => 'sent', () => 'refused')));
        """)
        assert blocked == ["refused", "refused"]
        page.open(studio.url[:-2] + "0/")
        assert "open the whole address" in page.text("body")


def it_is_readable_in_the_dark_and_on_a_small_screen():
    with Studio("exam") as studio, Browser(1000, 760, dark=True) as page:
        page.open(studio.url)
        page.find("h1")
        page.picture(f"{PICTURES}/dark-overview.png")
        page.click("[data-name='pattern:Question::by_category']")
        page.choose("#field-exam_type", "FE")
        page.type("#field-category", "network")
        page.click("button[type=submit]", "Run")
        page.find(".row.item")
        page.picture(f"{PICTURES}/dark-pattern.png")
        page.click(".row.item")
        page.find("#side h2")
        page.picture(f"{PICTURES}/dark-item.png")
        wide = page.run("return document.documentElement.scrollWidth")
        assert wide <= 1000, wide


TESTS = [it for it in list(globals().values()) if callable(it) and it.__module__ == "__main__"
         and not isinstance(it, type)]


def main():
    os.makedirs(PICTURES, exist_ok=True)
    wanted, failed = sys.argv[1:], 0
    for test in TESTS:
        if wanted and not any(text in test.__name__ for text in wanted):
            continue
        try:
            test()
            print(f"ok      {test.__name__}", flush=True)
        except Exception as error:  # noqa: BLE001: each failure is reported, and the rest still runs
            failed += 1
            print(f"FAILED  {test.__name__}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
