// Verifies notes, inclusion and consistency proofs with Go's reference implementation. Each line of standard input is one case as
// JSON; each line of standard output is "ok" or what is wrong.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type proof struct {
	Kind  string   `json:"kind"` // note, inclusion, consistency
	Note  string   `json:"note"`
	Key   string   `json:"key"`
	Text  string   `json:"text"`
	Index int64    `json:"index"`
	Size  int64    `json:"size"`
	Root  string   `json:"root"`
	Leaf  string   `json:"leaf"` // the digest of an entry
	Old   int64    `json:"old"`
	Base  string   `json:"base"` // the root of the old size
	Path  []string `json:"path"`
}

func hash(text string) (found tlog.Hash, err error) {
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err == nil && len(bytes) != len(found) {
		err = fmt.Errorf("%d bytes", len(bytes))
	}
	copy(found[:], bytes)
	return found, err
}

func check(one proof) error {
	if one.Kind == "note" {
		verifier, err := note.NewVerifier(one.Key)
		if err != nil {
			return err
		}
		opened, err := note.Open([]byte(one.Note), note.VerifierList(verifier))
		if err == nil && opened.Text != one.Text {
			err = fmt.Errorf("another text: %q", opened.Text)
		}
		return err
	}
	path := make([]tlog.Hash, len(one.Path))
	for at, step := range one.Path {
		var err error
		if path[at], err = hash(step); err != nil {
			return err
		}
	}
	root, err := hash(one.Root)
	if err != nil {
		return err
	}
	if one.Kind == "inclusion" {
		digest, err := base64.StdEncoding.DecodeString(one.Leaf)
		if err != nil {
			return err
		}
		return tlog.CheckRecord(tlog.RecordProof(path), one.Size, root, one.Index, tlog.RecordHash(digest))
	}
	base, err := hash(one.Base)
	if err != nil {
		return err
	}
	return tlog.CheckTree(tlog.TreeProof(path), one.Size, root, one.Old, base)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var one proof
		err := json.Unmarshal(lines.Bytes(), &one)
		if err == nil {
			err = check(one)
		}
		if err == nil {
			fmt.Fprintln(out, "ok")
		} else {
			fmt.Fprintln(out, err)
		}
	}
}
